import type { ChainNode } from '#chains';
import { PATIENCE_MS } from '../nodes/silent.ts';

/** A transaction as it is sent, and the bytes of what it leans on, the eldest first. */
export type Sending = { readonly raw: string; readonly before: readonly string[] };

/**
 * Whether a node takes it, or has it: one that has lost its mempool takes nothing whose parents it has not got. Where a name
 * does not prove the bytes, what it has then may be another by that name.
 */
export const give = async (node: ChainNode, { raw, before }: Sending): Promise<boolean> => {
  const until = performance.now() + PATIENCE_MS;
  for (const each of before) {
    // Nobody waits for its answer any more.
    if (performance.now() >= until) return false;
    // What it says of these says nothing of the payment: it may have them, in a block too.
    await node.submit(each);
  }
  return (await node.submit(raw)).isIn;
};
