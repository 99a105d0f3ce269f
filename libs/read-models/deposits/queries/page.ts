import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { depositRows } from '../rows/entities.ts';
import type { DepositRow } from '../rows/row.ts';
import { type DepositObject, viewOfRow } from '../rows/view-of-row.ts';
import { cursorText, type PageCursor } from './page-cursor.ts';

/** Columns that have to equal what is asked for. */
const filterColumns = [
  'entity_id',
  'status',
  'decision',
  'currency',
  'gambler_ref',
  'kyt_status',
  'ofac_status',
  'decided_by',
] as const satisfies readonly (keyof DepositRow)[];

export type DepositFilters = { readonly [Column in (typeof filterColumns)[number]]?: DepositRow[Column] } & {
  /** ISO 8601, both included: when the deposit was created. */
  readonly from?: string;
  readonly to?: string;
  /** The same of when it was decided. */
  readonly decidedFrom?: string;
  readonly decidedTo?: string;
  /** Ids that are asked for as soon as the rows are up to date. */
  readonly among?: () => Promise<readonly number[]>;
};

/** Who decided one of them, as its history names him. */
export type Decider = { readonly deposit_id: number; readonly actor: string };

export type DepositPage = {
  readonly deposits: DepositObject[];
  readonly deciders: readonly Decider[];
  readonly next_cursor: string | null;
};

/**
 * A deposit was there before it was decided, by whatever clocks: said, so that a page of a time long ago is looked for
 * from there on, and not among all that came since.
 */
const DECIDED_BY_THEN = `d.decision_at <= :decidedTo AND d.created_at <= CAST(:decidedTo AS timestamptz) + interval '1 day'`;

const filtered = (rows: SelectQueryBuilder<DepositRow>, filters: DepositFilters): SelectQueryBuilder<DepositRow> => {
  for (const column of filterColumns)
    if (filters[column] !== undefined) rows.andWhere(`d.${column} = :${column}`, { [column]: filters[column] });
  if (filters.from !== undefined) rows.andWhere('d.created_at >= :from', { from: filters.from });
  if (filters.to !== undefined) rows.andWhere('d.created_at <= :to', { to: filters.to });
  if (filters.decidedFrom !== undefined)
    rows.andWhere('d.decision_at >= :decidedFrom', { decidedFrom: filters.decidedFrom });
  if (filters.decidedTo !== undefined) rows.andWhere(DECIDED_BY_THEN, { decidedTo: filters.decidedTo });
  return rows;
};

/** For operators: every casino's deposits, newest first. A page costs the same wherever it lies. */
export const pageOfDeposits = async (
  source: DataSource,
  filters: DepositFilters,
  { after, limit }: { readonly after?: PageCursor; readonly limit: number },
): Promise<DepositPage> => {
  const rows = filtered(source.getRepository(depositRows).createQueryBuilder('d'), filters);
  if (filters.among) rows.andWhere('d.id = ANY(:among)', { among: await filters.among() });
  if (after !== undefined) rows.andWhere('(d.created_at, d.id) < (:createdAt, :id)', after);
  const found = await rows
    .orderBy('d.created_at', 'DESC')
    .addOrderBy('d.id', 'DESC')
    .limit(limit + 1)
    .getMany();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    deposits: shown.map(viewOfRow),
    deciders: shown.flatMap(({ id, decided_by }) =>
      decided_by === null ? [] : [{ deposit_id: id, actor: decided_by }],
    ),
    next_cursor: more ? cursorText({ createdAt: last.created_at, id: last.id }) : null,
  };
};
