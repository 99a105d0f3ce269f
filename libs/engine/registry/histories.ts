import type { EventLog } from '#event-log';
import { inParallel } from '#platform/in-parallel';
import type { Logger } from '#platform/logging';
import { pause } from '#platform/pause';
import { isOutage } from '../outage.ts';
import { type Claim, streamOf } from './claimed.ts';

export type Histories = { readonly log: Pick<EventLog, 'read'>; readonly logger: Logger };

const STREAMS_AT_ONCE = 64;

/** Those that came for the first time are claimed meanwhile, and want most of that time to be handled in. */
const LOOK_MS = 5_000;

type Asked = { readonly stream: string; readonly ids: readonly string[]; readonly over: AbortSignal };

/** Undefined where nothing has begun: there no signal would change anything, and what is kept of it is left as it is. */
const lackedBy = async ({ log }: Histories, { stream, ids, over }: Asked): Promise<readonly string[] | undefined> => {
  const lacked = new Set(ids);
  let hasBegun = false;
  for await (const { data } of log.read(stream)) {
    hasBegun = true;
    if (typeof data.signalId === 'string') lacked.delete(data.signalId);
    if (lacked.size === 0 || over.aborted) break;
  }
  return hasBegun ? [...lacked] : undefined;
};

export type Looked = {
  /** Of a history that does not answer, or not in time, nobody knows: all that is asked of it. */
  readonly lacked: readonly string[];
  readonly notBegun: ReadonlySet<string>;
  readonly damaged: readonly string[];
  /** What is the matter with one of those. */
  readonly failed: unknown;
};

/** Which of these their histories lack. */
export const lookIntoHistories = async (histories: Histories, claims: readonly Claim[]): Promise<Looked> => {
  const lacked: string[] = [];
  const notBegun = new Set<string>();
  const damaged: string[] = [];
  const byStream = new Map(
    [...Map.groupBy(claims, streamOf)].flatMap(([stream, those]) =>
      stream === undefined ? [] : [[stream, those.map(({ signalId }) => signalId)] as const],
    ),
  );
  const unread = new Map(byStream);
  const over = new AbortController();
  let failed: unknown;
  const look = inParallel([...byStream], STREAMS_AT_ONCE, async ([stream, ids]) => {
    if (over.signal.aborted) return;
    try {
      const found = await lackedBy(histories, { stream, ids, over: over.signal });
      if (over.signal.aborted) return;
      if (found) lacked.push(...found);
      else notBegun.add(stream);
      unread.delete(stream);
    } catch (error) {
      if (isOutage(error) || over.signal.aborted) return;
      damaged.push(stream);
      unread.delete(stream);
      failed = error;
    }
  });
  await Promise.race([look, pause(LOOK_MS, over.signal)]);
  over.abort();
  return { lacked: [...lacked, ...[...unread.values()].flat()], notBegun, damaged, failed };
};
