import { type ChainNode, NodeUnreachable } from '#chains';
import { PATIENCE_MS } from '../nodes/silent.ts';
import { AT_ONCE } from './ancestors.ts';
import { isWaitingAt } from './witnesses.ts';

/** The bytes of a transaction, as some node gave them: of its witness there may be others. */
export type Elder = { readonly txid: string; readonly raw: string };

/** A transaction as it is sent, and the bytes of what it leans on, the eldest first. */
export type Sending = { readonly raw: string; readonly before: readonly Elder[] };

/**
 * What was sent it before counts: to a node far away a turn has time for some of it. What waits there: of an index it gives
 * what was in a block that it gave up, too, and takes nothing that spends that.
 */
const hadBy = async (node: ChainNode, before: readonly Elder[]): Promise<Set<string>> => {
  const txids = [...new Set(before.map(({ txid }) => txid))];
  const had = new Set<string>();
  for (let from = 0; from < txids.length; from += AT_ONCE) {
    const some = txids.slice(from, from + AT_ONCE);
    const waiting = await Promise.all(some.map((txid) => isWaitingAt(node, txid)));
    for (const [nth, txid] of some.entries()) if (waiting[nth]) had.add(txid);
  }
  return had;
};

/**
 * Whether a node takes it, or has it: one that has lost its mempool takes nothing whose parents it has not got. Where a name
 * does not prove the bytes, what it has then may be another by that name.
 */
export const give = async (node: ChainNode, { raw, before }: Sending): Promise<boolean> => {
  const until = performance.now() + PATIENCE_MS;
  const had = await hadBy(node, before);
  for (const elder of before) {
    if (had.has(elder.txid)) continue;
    // Nobody waits for its answer any more.
    if (performance.now() >= until) throw new NodeUnreachable(`${node.name} takes long for what a payment leans on`);
    // What it says of these says nothing of the payment: it may have them, in a block too.
    if ((await node.submit(elder.raw)).isIn) had.add(elder.txid);
  }
  return (await node.submit(raw)).isIn;
};
