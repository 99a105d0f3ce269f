import { setImmediate as breathe } from 'node:timers/promises';
import type { ChainTransaction } from '../chain-node.ts';
import { readOr } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { type Format, parseNamed } from './parse.ts';

/** By policy none waits of more than 400,000; a longer one that a miner takes is read in its block. */
const MOST_BYTES = 2 ** 19;

/** One after the other: each may take some ten milliseconds, and whoever else runs here comes in between. */
export const waitingAt = async (
  { batch }: RpcClient,
  txids: readonly string[],
  format: Format,
): Promise<readonly ChainTransaction[]> => {
  const raws = await batch<string | null>(txids.map((txid) => ['getrawtransaction', txid]));
  const read: ChainTransaction[] = [];
  for (const [nth, txid] of txids.entries()) {
    const raw = raws[nth] ?? undefined;
    // Nothing, with success, is as little as a refusal: it is asked for again while it is in the list.
    if (raw === undefined) continue;
    read.push(readOr(txid, () => parseNamed(txid, raw, format, MOST_BYTES)));
    await breathe();
  }
  return read;
};
