import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { completeFromNode } from '../rows/of-log.ts';
import { type Payment, paymentsOf } from '../rows/payments.ts';
import type { Match } from './matches.ts';
import { takeOut } from './take-out.ts';

type Asked = {
  readonly coin: Ticker;
  readonly txids: readonly string[];
  /** In which they are found; undefined where they wait. */
  readonly block: string | undefined;
  readonly at: Date;
};

/**
 * What was recorded of these. What the log alone knew to be confirmed in a block that was never applied here, and is in this
 * one, is so no more.
 */
export const knownOf = async (db: Queryable, { coin, txids, block, at }: Asked): Promise<readonly Payment[]> => {
  const known = await paymentsOf(db, coin, txids);
  const isElsewhere = ({ isOfLog, state, blockHash }: Payment): boolean =>
    isOfLog && block !== undefined && state === 'confirmed' && blockHash !== block;
  const elsewhere = known.filter(isElsewhere);
  if (elsewhere.length === 0) return known;
  await takeOut(db, coin, elsewhere, at);
  return paymentsOf(db, coin, txids);
};

type Shown = {
  readonly match: Match;
  readonly raw: string | null;
  readonly before: Payment | undefined;
};

/** With what the log did not keep of them. `isAlone`: as the node that is read says, and others may not. */
export const completeAll = async (db: Queryable, shown: readonly Shown[], isAlone: boolean): Promise<void> => {
  for (const { match, raw, before } of shown) {
    const isCoinbase = match.transaction.isCoinbase === true;
    if (before?.isOfLog) await completeFromNode(db, before.id, { raw, isCoinbase, isAlone });
  }
};
