import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { EventLog } from '#event-log';
import { isOfOneRow } from '#platform/postgres';
import {
  compareRows,
  type GatheredRows,
  type RowDifference,
  type TabledProjection,
  tablePositions,
} from '#read-models';
import { type Finding, findingsOf } from './finding.ts';
import { foldStream } from './fold-stream.ts';
import { misfitIn } from './misfit.ts';

export type RowsParts = {
  readonly log: Pick<EventLog, 'readByStream'>;
  readonly pool: pg.Pool;
  readonly projections: readonly TabledProjection[];
};

const LOOK_AGAIN_MS = 100;
/** Without a service that brings the rows up to date they stay where they are. */
const STANDSTILL_MS = 3_000;

/** Of a comparison: Postgres refuses a value itself, and would whenever it is asked again. */
const orMisfit = (error: unknown): 'misfit' => {
  if (!isOfOneRow(error)) throw error;
  return 'misfit';
};

type Judged = { readonly events: number; readonly behind: boolean; readonly findings: readonly Finding[] };

/** Holds rows against the fold, and again where the one or the other has moved on in between. */
export const createRowCheck = (parts: RowsParts) => {
  const { log, pool, projections } = parts;
  let standsStill = false;

  const isBehind = async (differences: readonly RowDifference[], last: string | undefined): Promise<boolean> => {
    const positions = await tablePositions(pool, projections);
    return differences.some(({ row: { table } }) => {
      const position = positions.get(table);
      return last !== undefined && (position === undefined || position < last);
    });
  };

  const judge = async (stream: string): Promise<Judged> => {
    const { events, rows, breaks, last } = await foldStream(log, projections, stream);
    const differences = breaks.length > 0 ? [] : await compareRows(pool, rows).catch(orMisfit);
    if (differences === 'misfit') return { events, findings: await misfitIn(parts, stream), behind: false };
    const findings = differences.flatMap((each) => findingsOf(each, { by: 'rows', stream }));
    return { events, findings, behind: findings.length > 0 && (await isBehind(differences, last)) };
  };

  /** True: no projection goes on, as without a service. */
  const waitedInVain = async (until: number): Promise<boolean> => {
    standsStill ||= performance.now() > until;
    if (!standsStill) await delay(LOOK_AGAIN_MS);
    return standsStill;
  };

  /** Until it is the same twice. 'behind': the events are there, and no projection has taken them. */
  const judgeAgain = async (stream: string): Promise<'behind' | readonly Finding[]> => {
    const until = performance.now() + STANDSTILL_MS;
    for (let before = -1; ; ) {
      const { events, behind, findings } = await judge(stream);
      if (findings.length === 0 || (!behind && events === before)) return findings;
      if (behind && (await waitedInVain(until))) return 'behind';
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
