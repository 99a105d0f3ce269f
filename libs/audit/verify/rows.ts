import type pg from 'pg';
import type { EventLog } from '#event-log';
import { isOfOneRow } from '#platform/postgres';
import { compareRows, type GatheredRows, type TabledProjection } from '#read-models';
import { createPatience, isBehind } from './behind.ts';
import { type Finding, findingsOf } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import { misfitIn } from './misfit.ts';

export type RowsParts = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly pool: pg.Pool;
  readonly projections: readonly TabledProjection[];
};

/** Of a comparison: Postgres refuses a value itself, and would whenever it is asked again. */
const orMisfit = (error: unknown): 'misfit' => {
  if (!isOfOneRow(error)) throw error;
  return 'misfit';
};

type Judged = { readonly events: number; readonly behind: boolean; readonly findings: readonly Finding[] };

/** Holds rows against the fold, and again where the one or the other has moved on in between. */
export const createRowCheck = (parts: RowsParts) => {
  const { log, pool, projections } = parts;
  const patience = createPatience();

  const judge = async (stream: string): Promise<Judged> => {
    const { events, rows, breaks, last } = await foldStream(log, projections, stream);
    const differences = breaks.length > 0 ? [] : await compareRows(pool, rows).catch(orMisfit);
    if (differences === 'misfit') return { events, findings: await misfitIn(parts, stream), behind: false };
    const findings = differences.flatMap((each) => findingsOf(each, { by: 'rows', stream }));
    const tables = differences.map(({ row: { table } }) => table);
    return { events, findings, behind: findings.length > 0 && (await isBehind(parts, tables, last)) };
  };

  /** Until it is the same twice. 'behind': the events are there, and no projection has taken them. */
  const judgeAgain = async (stream: string): Promise<'behind' | readonly Finding[]> => {
    const waitedInVain = patience();
    for (let before = -1; ; ) {
      const { events, behind, findings } = await judge(stream);
      if (findings.length === 0 || (!behind && events === before)) return findings;
      if (behind && (await waitedInVain())) return 'behind';
      before = events;
    }
  };

  /** Where one of them holds what no column takes, the statement fails for all: then each is looked at by itself. */
  const doubtful = async (rows: GatheredRows<string>): Promise<ReadonlySet<string>> => {
    const differing = await rows.differing(pool).catch(orMisfit);
    return differing === 'misfit' ? rows.all() : differing;
  };

  /** What is found in the rows of these streams, and how many of the streams no projection has caught up with. */
  return async (rows: GatheredRows<string>): Promise<{ findings: readonly Finding[]; behind: number }> => {
    const findings: Finding[] = [];
    let behind = 0;
    for (const stream of [...(await doubtful(rows))].toSorted()) {
      const judged = await judgeAgain(stream);
      if (judged === 'behind') behind += 1;
      else findings.push(...judged);
    }
    return { findings, behind };
  };
};
