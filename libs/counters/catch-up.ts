import type pg from 'pg';
import { type OfTwo, recordTaken } from '#addresses';
import { raiseIds } from '#deposit-commands';
import { type EventLog, type Position, type RecordedEvent, UnknownSchemaVersion } from '#event-log';
import { raiseAccountIds } from '#partners';
import { inTransaction } from '#platform/postgres';
import { DatabaseAhead } from './errors.ts';
import { ELSEWHERE, GIVING, isInItsStream } from './given.ts';
import type { Looked } from './looked.ts';
import { isBehind, type Mark, moveMark, noteForgotten, readMark } from './mark.ts';
import { type LeftOut, type Sifted, sift } from './sift.ts';
import { noteUnraised, raiseUnraised } from './unraised.ts';

export type CatchUpParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'end' | 'head' | 'holds' | 'lacked' | 'readAll'>;
  readonly looked: Looked;
  readonly onLeftOut: (events: readonly LeftOut[]) => void;
  readonly onOfTwo: (addresses: readonly OfTwo[]) => void;
};

const AT_ONCE = 1_000;

/**
 * Throws `DatabaseAhead` where the log does not hold, at its place, what this database counted last. What was done to
 * the stream alone is for those to find who use it: it shows no other log, and keeps nobody else from being served. So
 * where all ends is asked, not the last event: that may be an older one, once the server has taken away what it deleted.
 */
const checkMark = async ({ log }: CatchUpParts, mark: Mark): Promise<void> => {
  const end = await log.end();
  if (isBehind(end, mark.position)) throw new DatabaseAhead(mark, `it ends at ${end ?? 'no position'}`);
  if (!(await log.holds(mark))) throw new DatabaseAhead(mark, 'it has no such event there');
};

type Counted = Pick<Sifted, 'given' | 'most'> & { readonly last: RecordedEvent };

const count = (pool: pg.Pool, { last, given, most }: Counted): Promise<readonly OfTwo[]> =>
  inTransaction(pool, async (db) => {
    // First, so that of several instances one counts and the others then find what it noted.
    await moveMark(db, last);
    const isAbove = await raiseIds(db, most);
    await raiseAccountIds(db, most);
    const { isNews, unknown, ofTwo } = await recordTaken(
      db,
      given.flatMap(({ address }) => (address ? [address] : [])),
    );
    if (isAbove || isNews) await noteForgotten(db);
    if (unknown.length > 0) await noteUnraised(db, unknown);
    return ofTwo;
  });

/** Each is held against its own hash. What only a newer release can read stops nobody where it is somebody else's. */
async function* giving({ log, onLeftOut }: CatchUpParts, start: Position | undefined): AsyncGenerator<RecordedEvent> {
  for (let after = start; ; ) {
    try {
      return yield* log.readAll({ ...(after !== undefined && { after }), filter: { types: GIVING }, prove: [''] });
    } catch (error) {
      if (!(error instanceof UnknownSchemaVersion) || isInItsStream(error.event)) throw error;
      onLeftOut([{ ...error.event, problem: ELSEWHERE }]);
      after = error.event.position;
    }
  }
}

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
 * Counts what the log holds behind the mark and was not looked at yet, or all of it where the mark itself is in doubt.
 * Several instances may do it at once: nothing of it goes back. Answers with the mark that it reached, an event that was
 * counted: what is left out may be somebody else's, who may delete it.
 */
export const catchUp = async (parts: CatchUpParts, fromBeginning = false): Promise<Mark | undefined> => {
  const { pool, log, looked, onLeftOut, onOfTwo } = parts;
  let mark = await readMark(pool);
  const head = await log.head();
  if (mark) await checkMark(parts, mark);
  let isAllJudged = true;
  for await (const batch of batches(giving(parts, fromBeginning ? undefined : looked.from(mark, head)))) {
    const { last, leftOut, isToBeJudgedAgain, ...sifted } = await sift(pool, batch);
    isAllJudged &&= !isToBeJudgedAgain;
    if (leftOut.length > 0) onLeftOut(leftOut);
    if (last === undefined) continue;
    onOfTwo(await count(pool, { last, ...sifted }));
    mark = last;
  }
  await raiseUnraised(pool);
  if (isAllJudged) looked.saw({ mark, head });
  else looked.forget();
  return mark;
};
