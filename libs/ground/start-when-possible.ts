import { setTimeout as later } from 'node:timers/promises';
import type { Ground } from './ground.ts';

type Running = { readonly stop: () => Promise<void> };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Starts what needs a server of others as soon as that answers: the start of the service does not wait for it. */
export const startWhenPossible = (
  { lifecycle, logger }: Pick<Ground, 'lifecycle' | 'logger'>,
  name: string,
  start: () => Promise<Running>,
): void => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepTrying = async (): Promise<Running | undefined> => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        return await start();
      } catch (error) {
        logger.debug({ err: error }, `${name} cannot start yet`);
        await later(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const running = keepTrying();
  lifecycle.onStop('stop-consumers', name, async () => {
    stopping.abort();
    await (await running)?.stop();
  });
};
