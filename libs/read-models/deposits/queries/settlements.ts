import type { DataSource } from 'typeorm';
import { amount, type DecimalText, toWireNumber } from '#money';
import { depositRows } from '../rows/entities.ts';

export type Settlement = {
  readonly deposit_id: number;
  readonly entity_net_usd: number;
  readonly accepted_at: string | null;
  readonly batch_id: string | null;
};

export type Settlements = {
  readonly settlements: readonly Settlement[];
  /** Of all pages. */
  readonly total_usd: number;
  readonly next_cursor: string | null;
};

/** One row a currency. */
const TOTAL = `
  SELECT coalesce(sum(entity_net_usd), 0) AS total FROM deposit_totals WHERE entity_id = $1 AND decision = 'accepted'`;

const totalOf = async (source: DataSource, entityId: number): Promise<number> => {
  const [row] = await source.query<{ total: DecimalText }[]>(TOTAL, [entityId]);
  return toWireNumber(amount(row?.total ?? '0'));
};

/** Accepted live deposits of a casino, newest first; `before` is the last id of the page before. */
export const settlementsOf = async (
  source: DataSource,
  entityId: number,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<Settlements> => {
  const rows = source
    .getRepository(depositRows)
    .createQueryBuilder('d')
    .select(['d.id', 'd.entity_net_usd', 'd.decision_at', 'd.settlement_batch_id'])
    .where("d.entity_id = :entityId AND d.decision = 'accepted' AND NOT d.test", { entityId });
  if (before !== undefined) rows.andWhere('-d.id > -(:before::bigint)', { before });
  const found = await rows
    .orderBy('-d.id')
    .limit(limit + 1)
    .getMany();
  const shown = found.slice(0, limit);
  return {
    settlements: shown.map(({ id, entity_net_usd, decision_at, settlement_batch_id }) => ({
      deposit_id: id,
      entity_net_usd: toWireNumber(amount(entity_net_usd)),
      accepted_at: decision_at,
      batch_id: settlement_batch_id,
    })),
    total_usd: await totalOf(source, entityId),
    next_cursor: found.length > limit ? String(shown.at(-1)?.id) : null,
  };
};
