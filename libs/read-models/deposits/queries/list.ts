import type { DataSource } from 'typeorm';
import type { DepositDecision } from '#deposits';
import type { Currency } from '#money';
import { depositRows, totalRows } from '../rows/entities.ts';
import { type DepositObject, viewOfRow } from '../rows/view-of-row.ts';

export type DepositListQuery = {
  readonly entityId: number;
  readonly decision?: DepositDecision;
  readonly currency?: Currency;
  readonly limit: number;
  readonly offset: number;
};

export type DepositList = { readonly deposits: DepositObject[]; readonly total: number };

type Wanted = Pick<DepositListQuery, 'entityId' | 'decision' | 'currency'>;

const conditions = ({ entityId, decision, currency }: Wanted) => ({
  entity_id: entityId,
  ...(decision !== undefined && { decision }),
  ...(currency !== undefined && { currency }),
});

/** Added up from twelve kept rows at most, however many deposits there are. */
const totalOf = async (source: DataSource, wanted: Wanted): Promise<number> => {
  const totals = await source.getRepository(totalRows).findBy(conditions(wanted));
  return totals.reduce((total, { deposits }) => total + deposits, 0);
};

/** Newest first. Past the end nothing is looked for, so no offset costs more than the list is long. */
export const listDeposits = async (source: DataSource, query: DepositListQuery): Promise<DepositList> => {
  const total = await totalOf(source, query);
  if (query.offset >= total) return { deposits: [], total };
  const rows = await source
    .getRepository(depositRows)
    .createQueryBuilder('d')
    .where(conditions(query))
    // An order that the casino's own indexes have, and no other.
    .orderBy('-d.id')
    .limit(query.limit)
    .offset(query.offset)
    .getMany();
  return { deposits: rows.map(viewOfRow), total };
};
