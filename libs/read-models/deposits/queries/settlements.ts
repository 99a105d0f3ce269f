import type { DataSource, EntityManager, SelectQueryBuilder } from 'typeorm';
import type { Withholding } from '#deposits';
import { type DecimalText, wireNumberOf } from '#money';
import { depositRows } from '../rows/entities.ts';
import type { DepositRow } from '../rows/row.ts';

export type Settlement = {
  readonly deposit_id: number;
  readonly entity_net_usd: number;
  readonly accepted_at: string | null;
  readonly batch_id: string | null;
  readonly withheld: Withholding | 'released' | null;
};

export type Settlements = {
  readonly settlements: readonly Settlement[];
  /** Of all pages, without what is withheld. */
  readonly total_usd: number;
  readonly next_cursor: string | null;
};

/** What was accepted is kept, one row a currency; what is withheld of it are exceptions, few enough to be summed. */
const TOTAL = `
  SELECT (SELECT coalesce(sum(entity_net_usd), 0) FROM deposit_totals WHERE entity_id = $1 AND decision = 'accepted')
       - (SELECT coalesce(sum(entity_net_usd), 0) FROM deposits
          WHERE entity_id = $1 AND decision = 'accepted' AND NOT test
            AND settlement_withheld IS NOT NULL AND settlement_withheld <> 'released') AS total`;

const totalOf = async (db: EntityManager, entityId: number): Promise<number> => {
  const [row] = await db.query<{ total: DecimalText }[]>(TOTAL, [entityId]);
  return row ? wireNumberOf(row.total) : 0;
};

type Row = Pick<DepositRow, 'id' | 'entity_net_usd' | 'decision_at' | 'settlement_batch_id' | 'settlement_withheld'>;

const settlementOf = ({ id, entity_net_usd, ...row }: Row): Settlement => ({
  deposit_id: id,
  entity_net_usd: wireNumberOf(entity_net_usd),
  accepted_at: row.decision_at,
  batch_id: row.settlement_batch_id,
  withheld: row.settlement_withheld,
});

const accepted = (db: EntityManager): SelectQueryBuilder<DepositRow> =>
  db
    .getRepository(depositRows)
    .createQueryBuilder('d')
    .select(['d.id', 'd.entity_net_usd', 'd.decision_at', 'd.settlement_batch_id', 'd.settlement_withheld'])
    .where("d.decision = 'accepted' AND NOT d.test");

export const settlementOfDeposit = async (source: DataSource, depositId: number): Promise<Settlement | undefined> => {
  const row = await accepted(source.manager).andWhere('d.id = :depositId', { depositId }).getOne();
  return row === null ? undefined : settlementOf(row);
};

/**
 * Accepted live deposits of a casino, newest first; `before` is the last id of the page before. The total is as of the same
 * moment: who pays by it marks what is listed beside it.
 */
export const settlementsOf = (
  source: DataSource,
  entityId: number,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<Settlements> =>
  source.transaction('REPEATABLE READ', async (db) => {
    const rows = accepted(db).andWhere('d.entity_id = :entityId', { entityId });
    if (before !== undefined) rows.andWhere('-d.id > -(:before::bigint)', { before });
    const found = await rows
      .orderBy('-d.id')
      .limit(limit + 1)
      .getMany();
    const shown = found.slice(0, limit);
    return {
      settlements: shown.map(settlementOf),
      total_usd: await totalOf(db, entityId),
      next_cursor: found.length > limit ? String(shown.at(-1)?.id) : null,
    };
  });
