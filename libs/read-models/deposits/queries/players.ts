import { type DataSource, IsNull, MoreThanOrEqual, Not } from 'typeorm';
import type { Instant } from '#deposits';
import type { Currency } from '#money';
import { depositRows } from '../rows/entities.ts';

/** "Has a deposit at this casino with decision accepted that reached a confirmed status." */
export const isReturningPlayer = (source: DataSource, entityId: number, gamblerRef: string): Promise<boolean> =>
  source
    .getRepository(depositRows)
    .existsBy({ entity_id: entityId, gambler_ref: gamblerRef, decision: 'accepted', confirmed_ever: true });

/** One look's worth; those that are served leave the list. */
const MOST_WAITING = 1_000;

/** Unexpired deposits that found the pool empty, those that expire first at the front. */
export const idsWithoutAddress = async (
  source: DataSource,
  currency: Currency,
  now: Instant,
): Promise<readonly number[]> => {
  const rows = await source.getRepository(depositRows).find({
    select: { id: true },
    where: { wallet: IsNull(), currency, expires_at: MoreThanOrEqual(now), status: Not('Timedout') },
    order: { expires_at: 'ASC' },
    take: MOST_WAITING,
  });
  return rows.map(({ id }) => id);
};
