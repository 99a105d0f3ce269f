import type pg from 'pg';
import type { EventLog } from '#event-log';
import { isOfOneRow } from '#platform/postgres';
import { compareRows, type GatheredRows, type TabledProjection } from '#read-models';
import { createJudgement, isBehind, type Judged } from './behind.ts';
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

const someOf = (findings: readonly Finding[]): readonly Finding[] | undefined =>
  findings.length > 0 ? findings : undefined;

/** Holds rows against the fold, and again where the one or the other has moved on in between. */
export const createRowCheck = (parts: RowsParts) => {
  const { log, pool, projections } = parts;
  const judged = createJudgement();

  const judge = async (stream: string): Promise<Judged<readonly Finding[]>> => {
    const { events, rows, breaks, last } = await foldStream(log, projections, stream);
    const differences = breaks.length > 0 ? [] : await compareRows(pool, rows).catch(orMisfit);
    if (differences === 'misfit') return { events, found: someOf(await misfitIn(parts, stream)), behind: false };
    const found = someOf(differences.flatMap((each) => findingsOf(each, { by: 'rows', stream })));
    const tables = differences.map(({ row: { table } }) => table);
    return { events, found, behind: found !== undefined && (await isBehind(parts, tables, last)) };
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
      const found = await judged(() => judge(stream));
      if (found === 'behind') behind += 1;
      else findings.push(...(found ?? []));
    }
    return { findings, behind };
  };
};
