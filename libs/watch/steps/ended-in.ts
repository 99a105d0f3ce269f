import type { ChainTransaction } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { type Conflict, conflictsWith } from '../rows/inputs.ts';
import { paymentsOf } from '../rows/payments.ts';
import { openAmong } from '../rows/rivals.ts';
import { keyOf, type Match, matchKey } from './matches.ts';

/** Mined, and it does not pay after all, as a transaction of an account may fail: by itself. */
const failedIn = async (
  db: Queryable,
  { coin }: Pick<WatchedChain, 'coin'>,
  transactions: readonly ChainTransaction[],
  matches: readonly Match[],
): Promise<readonly Conflict[]> => {
  const paid = new Set(matches.map(matchKey));
  const mined = transactions.map(({ txid }) => txid);
  const waiting = (await paymentsOf(db, coin, mined)).filter(({ state }) => state === 'waiting');
  return waiting
    .filter((payment) => !paid.has(keyOf(payment)))
    .map(({ txid }) => ({ txid, by: txid, isByPegOut: false }));
};

/** The payments that cannot come any more once a block has these transactions, which pay this of ours. */
export const endedIn = async (
  db: Queryable,
  chain: Pick<WatchedChain, 'coin'>,
  transactions: readonly ChainTransaction[],
  matches: readonly Match[],
): Promise<readonly Conflict[]> => {
  const spent = await openAmong(db, chain.coin, await conflictsWith(db, chain.coin, transactions));
  return [...spent, ...(await failedIn(db, chain, transactions, matches))];
};
