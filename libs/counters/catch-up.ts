import type pg from 'pg';
import { recordTaken } from '#addresses';
import { raiseIds } from '#deposit-commands';
import type { EventLog, RecordedEvent } from '#event-log';
import { raiseAccountIds } from '#partners';
import { inTransaction } from '#platform/postgres';
import { DatabaseAhead } from './errors.ts';
import { GIVING, type Given, givenIn } from './given.ts';
import { isBehind, type Mark, moveMark, noteForgotten, readMark } from './mark.ts';
import { noteUnraised, raiseUnraised } from './unraised.ts';

export type CatchUpParts = { readonly pool: pg.Pool; readonly log: Pick<EventLog, 'head' | 'holds' | 'readAll'> };

const AT_ONCE = 1_000;

/**
 * Throws `DatabaseAhead` where the log does not hold, at its place, what this database counted last. What was done to
 * the stream alone is for those to find who use it: it shows no other log, and keeps nobody else from being served.
 */
const checkMark = async ({ log }: CatchUpParts, mark: Mark): Promise<void> => {
  const head = await log.head();
  if (isBehind(head, mark.position)) throw new DatabaseAhead(mark, `its last event is at ${head ?? 'no position'}`);
  if (!(await log.holds(mark))) throw new DatabaseAhead(mark, 'it has no such event there');
};

const countBatch = (pool: pg.Pool, events: readonly RecordedEvent[], last: RecordedEvent): Promise<void> =>
  inTransaction(pool, async (db) => {
    // First, so that of several instances one counts and the others then find what it noted.
    await moveMark(db, last);
    const given = events.map(givenIn);
    const most = (name: Exclude<keyof Given, 'address'>): number =>
      given.reduce((highest, each) => Math.max(highest, each[name] ?? 0), 0);
    const isAbove = await raiseIds(db, {
      ...{ depositId: most('depositId'), transactionId: most('transactionId'), returnId: most('returnId') },
    });
    await raiseAccountIds(db, {
      ...{ affiliateId: most('affiliateId'), entityId: most('entityId'), apiKeyId: most('apiKeyId') },
    });
    const { isNews, unknown } = await recordTaken(
      db,
      given.flatMap(({ address }) => (address ? [address] : [])),
    );
    if (isAbove || isNews) await noteForgotten(db);
    if (unknown.length > 0) await noteUnraised(db, unknown);
  });

async function* batches(events: AsyncIterable<RecordedEvent>): AsyncGenerator<readonly RecordedEvent[]> {
  let batch: RecordedEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Counts what the log holds behind the mark, or all of it where the mark itself is in doubt. Several instances may do it at once: nothing of it goes back. Answers
 * with the mark that it reached.
 */
export const catchUp = async (parts: CatchUpParts, fromBeginning = false): Promise<Mark | undefined> => {
  const { pool, log } = parts;
  let mark = await readMark(pool);
  if (mark) await checkMark(parts, mark);
  const after = mark === undefined || fromBeginning ? {} : { after: mark.position };
  for await (const batch of batches(log.readAll({ ...after, filter: { types: GIVING } }))) {
    const last = batch.at(-1);
    if (!last) continue;
    await countBatch(pool, batch, last);
    mark = last;
  }
  await raiseUnraised(pool);
  return mark;
};
