import type { ChainBlock } from '#chains';
import { inTransaction } from '#platform/postgres';
import { type Turn } from '../parts.ts';
import { paymentsOfBlock } from '../rows/payments.ts';
import { keepBlock, moveTip, type NewTip, type Tip } from '../rows/tip.ts';
import { foundInBlock } from './ask.ts';
import { decidingOn, endWith } from './block-rivals.ts';
import { endedIn } from './ended-in.ts';
import { withoutNewGivenLater } from './given-later.ts';
import type { Given } from './next-block.ts';
import { recordFound } from './record.ts';
import { seenAt } from './seen-at.ts';
import { tellUntold } from './senders.ts';
import { takeOut } from './take-out.ts';
import { oursBeside, tellBeside } from './tell-beside.ts';

const REMEMBERED = 12;

const remember = ({ recent, shown, node }: Turn, { hash, transactions }: ChainBlock): void => {
  recent.set(
    hash,
    transactions.map(({ txid, inputs, usedUp }) => ({ txid, inputs, ...(usedUp && { usedUp }) })),
  );
  shown.spendingBy.set(hash, new Set([node]));
  const [oldest] = recent.keys();
  if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
};

const tellByState = ({ chain, node, logger }: Turn, height: number, { byState = [] }: ChainBlock): void => {
  if (byState.length > 0)
    logger.error(
      {
        alert: 'chain_transaction_by_state',
        ...{ chain: chain.coin, node: node.name, height, transactions: byState.length, txid: byState[0] },
      },
      'no node tells the calls of a transaction: what it pays was taken from the state',
    );
};

/** The block behind the tip: the tip, the payments and what is told of them change together, or not at all. */
export const applyBlock = async (turn: Turn, tip: Tip, { block, matches }: Given): Promise<Tip> => {
  const { pool, chain } = turn;
  const { coin } = chain;
  const next: NewTip = { hash: block.hash, height: tip.height + 1, time: block.time };
  const theirs = await withoutNewGivenLater(turn, matches, next, block);
  const found = await foundInBlock(turn, theirs, block.hash);
  const at = await seenAt(turn, block, next.height, found);
  const beside = await oursBeside(turn, block);
  const deciding = await decidingOn(turn, next, block, matches);
  await inTransaction(pool, async (db) => {
    await moveTip(db, coin, tip.hash, next);
    await keepBlock(db, coin, next);
    // Of another block at this height, which the log told of and nobody applied.
    const elsewhere = (await paymentsOfBlock(db, coin, next.height)).filter(({ blockHash }) => blockHash !== next.hash);
    await takeOut(db, coin, elsewhere, at);
    const ended = await endedIn(db, chain, block.transactions, matches);
    await endWith(db, turn, { ...next, matches, ended }, deciding);
    await recordFound(db, { chain, found, where: next, at });
  });
  tellUntold(turn, found);
  tellByState(turn, next.height, block);
  tellBeside(turn, next.height, beside);
  remember(turn, block);
  return { ...next, auditedHeight: tip.auditedHeight };
};
