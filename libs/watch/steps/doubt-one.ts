import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { doubtAgain } from '../rows/judged.ts';
import { lockTip, type Tip } from '../rows/tip.ts';

/** What waits and passed the guards is judged anew. */
export const doubtOne = ({ pool, chain, ...turn }: Turn, tip: Tip, txid: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await doubtAgain(db, chain.coin, [txid], timeOf(turn));
  });
