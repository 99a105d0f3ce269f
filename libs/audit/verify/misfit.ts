import type { EventLog, ProvenEvent } from '#event-log';
import { isOfOneRow, type Queryable } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { compareRows, createRowFold, type TabledProjection } from '#read-models';
import type { Finding } from './finding.ts';
import { breakOf, foldOne } from './fold-stream.ts';

export const unfit = (error: unknown): string => {
  if (!isOfOneRow(error)) throw error;
  return `no row can hold what it says: ${reasonOf(error)}`;
};

type Parts = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly pool: Queryable;
  readonly projections: readonly TabledProjection[];
};

/** The first event of a stream that says what the columns of its rows cannot hold: its rows are those of no history. */
export const misfitIn = async ({ log, pool, projections }: Parts, stream: string): Promise<readonly Finding[]> => {
  const fold = createRowFold(projections);
  const problemOf = async (proven: ProvenEvent): Promise<string | undefined> => {
    foldOne(fold, proven, true);
    return compareRows(pool, fold.rows()).then(() => undefined, unfit);
  };
  for await (const page of log.readByStream({ only: stream }))
    for (const proven of page) {
      const problem = await problemOf(proven);
      if (problem !== undefined) return [{ ...breakOf(proven), problem }];
    }
  return [{ by: 'chain', stream, problem: 'no row can hold what it says' }];
};
