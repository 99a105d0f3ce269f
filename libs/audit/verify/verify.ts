import type pg from 'pg';
import type { EventLog, Position, ProvenEvent } from '#event-log';
import {
  createRowFold,
  gatherRows,
  type RowFold,
  type TableColumns,
  type TabledProjection,
  tableColumns,
} from '#read-models';
import { untilTaken } from './behind.ts';
import { type Finding, isOfMissingRow } from './finding.ts';
import { goneHistory } from './gone-history.ts';
import { brokenSeals } from './kept-seals.ts';
import { findLostEnds } from './lost-ends.ts';
import { createPass } from './pass.ts';
import { notToldOf, type Refused } from './refused.ts';
import { createRowCheck, type RowsParts } from './rows.ts';
import { straysOf, surplusOf } from './strays.ts';
import { checkTotals, totalTables } from './totals.ts';
import { trailBreaks } from './trail.ts';

/** Whoever looks at every event on the way, a seal say. */
export type Observer = {
  readonly page: (events: readonly ProvenEvent[]) => Promise<void>;
  readonly end: () => Promise<void>;
};

export type VerifyOptions = {
  readonly log: Pick<EventLog, 'readByStream' | 'readAll' | 'head'>;
  /** Undefined: the log alone is looked at. */
  readonly pool: pg.Pool | undefined;
  readonly projections: readonly TabledProjection[];
  /** Only streams of which an event was recorded between the two. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only this stream. */
  readonly only?: string | undefined;
  readonly refused?: Refused | undefined;
  readonly observer?: ((tell: (finding: Finding) => void) => Observer) | undefined;
  readonly onFinding: (finding: Finding) => void;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called between pages: whoever serves others beside it lets them go first. */
  readonly breathe?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type Progress = { readonly events: number; readonly streams: number; readonly rows: number };

export type Verified = Progress & {
  readonly findings: number;
  /** Streams, rows of none, and the totals, where nothing can be said: no projection has taken the newest events yet. */
  readonly behind: number;
  /** Everything that was written up to there was looked at; null: there was nothing. */
  readonly upTo: Position | null;
};

type Tell = (finding: Finding) => void;

/** The rows of so many streams are held against the database at once: each statement is planned anew. */
const STREAMS_AT_ONCE = 1_000;

/** What can be said of tables as a whole, once every stream was seen. */
async function* wholeTables(
  parts: RowsParts & Pick<VerifyOptions, 'log'>,
  fold: RowFold,
  expected: ReadonlyMap<string, number>,
  upTo: Position | undefined,
): AsyncGenerator<Finding | 'behind'> {
  const found = await untilTaken(() => checkTotals(parts, fold, upTo));
  if (found === 'behind') yield found;
  else yield* found;
  const totals = totalTables(parts.projections);
  for (const table of parts.projections.flatMap(({ tables }) => tables))
    if (!totals.includes(table) && (await surplusOf(parts.pool, table, expected.get(table) ?? 0)) > 0)
      yield* straysOf(parts, table);
  yield* await trailBreaks(parts.pool);
  yield* brokenSeals(parts.pool);
}

const spanOf = ({ from, to }: VerifyOptions) => (from === undefined && to === undefined ? undefined : { from, to });

/** What no page can tell: of all tables where all was seen, of one stream whether it ought to be there. */
async function* whatElse(
  options: VerifyOptions,
  { events }: Progress,
  told: ReadonlySet<string | undefined>,
  pool: pg.Pool,
  ofAll: () => AsyncGenerator<Finding | 'behind'>,
): AsyncGenerator<Finding | 'behind'> {
  const { only, projections, log } = options;
  if (spanOf(options) === undefined) yield* findLostEnds({ log, pool, projections }, only);
  const hasRows = projections.some(({ tables }) => tables.includes('deposits'));
  const gone = only !== undefined && events === 0 && hasRows ? await goneHistory(pool, only) : undefined;
  if (gone) yield gone;
  if (spanOf(options) === undefined) yield* notToldOf(options.refused, told, only);
  if (only === undefined && spanOf(options) === undefined) yield* ofAll();
}

/**
 * Rows of streams that have been seen to their end, some at a time: while the server compares, the next are folded. What
 * is found is told when the next have their turn, so that the order does not depend on how fast the server was.
 */
const createRowTurn = (parts: RowsParts | undefined, pass: ReturnType<typeof createPass>, tell: Tell) => {
  const check = parts && createRowCheck(parts);
  let behind = 0;
  let underWay: ReturnType<NonNullable<typeof check>> | undefined;
  const held = async (): Promise<void> => {
    const checked = await underWay;
    underWay = undefined;
    behind += checked?.behind ?? 0;
    for (const each of checked?.findings ?? []) {
      tell(each);
      if (isOfMissingRow(each)) pass.misses(each.table ?? '');
    }
  };
  return {
    behind: () => behind,
    holdWhen: async (streams: number): Promise<void> => {
      if (pass.waiting() < streams) return;
      await held();
      underWay = check?.(pass.takeEnded());
      // It is heard by whoever waits for it next.
      underWay?.catch(() => undefined);
    },
    held,
  };
};

/** Answers with of how many nothing can be said. */
const tellAll = async (all: AsyncIterable<Finding | 'behind'> | undefined, tell: Tell): Promise<number> => {
  let behind = 0;
  for await (const each of all ?? []) {
    if (each === 'behind') behind += 1;
    else tell(each);
  }
  return behind;
};

/** Every chain, every row and every total, stream by stream: nothing is kept but one stream's rows and the totals. */
export const verify = async (options: VerifyOptions): Promise<Verified> => {
  const { log, pool, projections, only, onProgress, breathe, signal } = options;
  const [upTo, span, told] = [await log.head(), spanOf(options), new Set<string | undefined>()];
  let findings = 0;
  const tell = (finding: Finding): void => {
    findings += 1;
    told.add(finding.stream);
    options.onFinding(finding);
  };
  const fold = createRowFold(pool ? projections : []);
  const tables = projections.flatMap(({ tables }) => tables);
  const columns = pool ? await tableColumns(pool, tables) : new Map<string, TableColumns>();
  const pass = createPass(fold, () => gatherRows(columns), span, tell);
  const parts = pool && { log, pool, projections };
  const rows = createRowTurn(parts, pass, tell);
  const observer = options.observer?.(tell);
  const pages = upTo === undefined ? [] : log.readByStream({ upTo, ...(only !== undefined && { only }) });

  const look = async (page: readonly ProvenEvent[]): Promise<void> => {
    signal?.throwIfAborted();
    for (const proven of page) pass.look(proven);
    await observer?.page(page);
    await rows.holdWhen(STREAMS_AT_ONCE);
    onProgress?.(pass.counts);
    await breathe?.();
  };

  try {
    for await (const page of pages) await look(page);
    pass.end();
    await rows.holdWhen(1);
  } finally {
    await rows.held();
  }
  await observer?.end();
  const atTheEnd =
    parts && whatElse(options, pass.counts, told, parts.pool, () => wholeTables(parts, fold, pass.expected, upTo));
  const behind = rows.behind() + (await tellAll(atTheEnd, tell));
  return { ...pass.counts, findings, behind, upTo: upTo ?? null };
};
