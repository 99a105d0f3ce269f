import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { conflictsWith } from '../rows/inputs.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { foundInMempool } from './ask.ts';
import { matchesIn } from './matches.ts';
import { recordConflicts, recordFound } from './record.ts';

const AT_ONCE = 500;

/** What a node was seen to have waiting, so that each is looked at once. Another node, another memory. */
export type MempoolMemory = { readonly of: string; readonly txids: ReadonlySet<string> };

const readSome = async (turn: Turn, tip: Tip, txids: readonly string[], mempool: ReadonlySet<string>) => {
  const { pool, node, chain } = turn;
  const transactions = await node.transactions(txids);
  const found = await foundInMempool(node, await matchesIn(pool, chain, transactions), mempool);
  const conflicts = await conflictsWith(pool, chain.coin, transactions);
  if (found.length === 0 && conflicts.length === 0) return;
  const at = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await recordConflicts(db, chain, conflicts, at);
    await recordFound(db, { chain, found, where: undefined, at });
  });
};

/** Looks at what is new in the mempool: payments, and what ends them. Answers with what is in it. */
export const readMempool = async (turn: Turn, tip: Tip, memory: MempoolMemory | undefined): Promise<MempoolMemory> => {
  const { node } = turn;
  const txids = new Set(await node.mempool());
  const known = memory?.of === node.name ? memory.txids : new Set<string>();
  const fresh = [...txids].filter((txid) => !known.has(txid));
  for (let from = 0; from < fresh.length; from += AT_ONCE)
    await readSome(turn, tip, fresh.slice(from, from + AT_ONCE), txids);
  return { of: node.name, txids };
};
