import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, send } from '../../acceptance/harness/index.ts';

const PAUSE_MS = 100;
const WITHIN_MS = 120_000;

/** "502 and 503: retry with backoff". */
const asksForMore = ({ status }: Answer): boolean => status === 502 || status === 503;

/** A caller who asks the same again, byte for byte, until there is an answer. */
export const sendRepeatedly: typeof send = async (base, method, path, call) => {
  for (const deadline = Date.now() + WITHIN_MS; ; await delay(PAUSE_MS)) {
    const answer = await send(base, method, path, call);
    if (!asksForMore(answer) || Date.now() > deadline) return answer;
  }
};
