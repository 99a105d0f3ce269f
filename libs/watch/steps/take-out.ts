import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { tell } from '../rows/outbox.ts';
import { type Payment, unmine } from '../rows/payments.ts';
import { reorged } from '../signals.ts';
import { drop } from './drop.ts';

const idsOf = (payments: readonly Payment[]): readonly number[] => payments.map(({ id }) => id);

/**
 * The block of these payments is none any more: they wait again, and what was told to be confirmed is told to be so no
 * more. What a miner made in it no other block can have: that is given up at once. Answers with how many were confirmed.
 */
export const takeOut = async (db: Queryable, coin: Ticker, payments: readonly Payment[], at: Date): Promise<number> => {
  const unmined = await unmine(db, idsOf(payments), at);
  const told = unmined.filter(({ isDust, state }) => !isDust && state === 'confirmed');
  await tell(
    db,
    coin,
    told.map((payment) => reorged(payment, at, payment.blockHash ?? '')),
  );
  await drop(db, coin, idsOf(unmined.filter(({ isCoinbase }) => isCoinbase)), at);
  return told.length;
};
