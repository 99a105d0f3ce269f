import type { EventLog } from '#event-log';
import { inParallel } from '#platform/in-parallel';
import type { Logger } from '#platform/logging';
import { pause } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import { isOutage } from '../outage.ts';
import { type Claim, streamOf } from './claimed.ts';
import { isSame, knownOf } from './known.ts';

export type Histories = { readonly log: Pick<EventLog, 'read'>; readonly logger: Logger };

const STREAMS_AT_ONCE = 64;

/** Those that came for the first time are claimed meanwhile, and want most of that time to be handled in. */
const LOOK_MS = 5_000;

// In the order of their ids, as claims are made. Whoever had the same and has handled it meanwhile may have set it aside.
const FREE = `
  UPDATE engine_signals SET outcome = NULL, detail = NULL, claimed_until = now() WHERE signal_id IN (
    SELECT signal_id FROM engine_signals WHERE signal_id = ANY ($1::text[]) AND outcome = 'applied'
    ORDER BY signal_id FOR UPDATE
  )`;

type Asked = { readonly stream: string; readonly ids: readonly string[]; readonly over: AbortSignal };

/** Where nothing has begun no signal would change anything. */
const lackedBy = async ({ log }: Histories, { stream, ids, over }: Asked): Promise<readonly string[]> => {
  const lacked = new Set(ids);
  let hasBegun = false;
  for await (const { data } of log.read(stream)) {
    hasBegun = true;
    if (typeof data.signalId === 'string') lacked.delete(data.signalId);
    if (lacked.size === 0 || over.aborted) break;
  }
  return hasBegun ? [...lacked] : [];
};

/**
 * What is kept of signals is believed where their history is damaged. Of one that does not answer, or not in time, nobody
 * knows: whoever handles them then finds what they came to, or is not answered either.
 */
const lackedByTheirs = async (
  histories: Histories,
  byStream: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> => {
  const lacked: string[] = [];
  const unread = new Set(byStream.keys());
  const damaged: string[] = [];
  const over = new AbortController();
  let failed: unknown;
  const look = inParallel([...byStream], STREAMS_AT_ONCE, async ([stream, ids]) => {
    if (over.signal.aborted) return;
    try {
      const found = await lackedBy(histories, { stream, ids, over: over.signal });
      if (over.signal.aborted) return;
      lacked.push(...found);
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
  if (damaged.length > 0)
    histories.logger.warn(
      { err: failed, streams: damaged.slice(0, 10), count: damaged.length },
      'histories are damaged, and signals of them that came again taken for known',
    );
  return [...lacked, ...[...unread].flatMap((stream) => byStream.get(stream) ?? [])];
};

/**
 * The log may be another copy than the one that a signal was applied in, and nothing else shows it where no row has shown
 * that end: so what is kept as applied counts only while the history has it. What it lacks is as that of an instance that
 * died; should another free the same, the history says again what came of it.
 */
export const freeForgotten = async (db: Queryable, claims: readonly Claim[], histories: Histories): Promise<void> => {
  const asked = claims.filter((claim) => claim.rejectedBecause === null && streamOf(claim) !== undefined);
  if (asked.length === 0) return;
  const known = await knownOf(db, asked);
  const applied = asked.filter((claim) => {
    const row = known.get(claim.signalId);
    return row?.outcome === 'applied' && isSame(claim, row);
  });
  const byStream = new Map(
    [...Map.groupBy(applied, streamOf)].flatMap(([stream, those]) =>
      stream === undefined ? [] : [[stream, those.map(({ signalId }) => signalId)] as const],
    ),
  );
  if (byStream.size === 0) return;
  const lacked = await lackedByTheirs(histories, byStream);
  if (lacked.length === 0) return;
  histories.logger.warn(
    { signals: lacked.slice(0, 10), count: lacked.length },
    'signals that were applied are not found in their history, and are handled again',
  );
  await db.query(FREE, [lacked]);
};
