import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { tell } from '../rows/outbox.ts';
import { dropPayments } from '../rows/payments.ts';
import { dropped } from '../signals.ts';

/** What as many nodes as have to agree refuse for so long. */
export const DROP_AFTER_MS = 7_200_000;

/** Those of them that wait are given up, and that is told; it may come otherwise. */
export const drop = async (db: Queryable, coin: Ticker, ids: readonly number[], at: Date): Promise<void> => {
  const gone = await dropPayments(db, ids);
  await tell(
    db,
    coin,
    gone.filter(({ isDust }) => !isDust).map((payment) => dropped(payment, at)),
  );
};
