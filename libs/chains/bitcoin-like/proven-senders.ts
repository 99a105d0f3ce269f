import { setImmediate as breathe } from 'node:timers/promises';
import { type ChainTransaction, MOST_SENDERS, type Sender } from '../chain-node.ts';
import type { Call, RpcClient } from '../rpc/client.ts';
import { parentsBlocks } from './parents-blocks.ts';
import { type Format, parseNamed } from './parse.ts';
import { partsOf } from './senders.ts';

/** Undefined of a script that pays to no address. */
export type AddressOf = (script: string) => string | undefined;

/** The rest is nothing to wait for: nodes may say the same in their words. */
const LONGEST_MS = 4_000;

/** Of each a node reads all of the block. */
const MOST_OUT_OF_BLOCKS = 100;

/** A block has no longer one. */
const MOST_BYTES = 4 * 2 ** 20;

/** Each may have that, and twice as much as a text: few are held at once. */
const ASKED_AT_ONCE = 5;

type Parent = { readonly txid: string; readonly call: Call };

type Wanted = { readonly format: Format; readonly outpoints: readonly string[]; readonly until: number };

/** What is no bytes, or another's, or too long, proves nothing. */
const outputsIn = (txid: string, raw: unknown, format: Format) => {
  try {
    return typeof raw === 'string' ? parseNamed(txid, raw, format, MOST_BYTES).outputs : [];
  } catch {
    return [];
  }
};

/** The scripts of those that are wanted, as far as the node gives what made them. */
const scriptsBy = async (
  { batch }: RpcClient,
  parents: readonly Parent[],
  { format, outpoints, until }: Wanted,
): Promise<ReadonlyMap<string, string>> => {
  const wanted = new Set(outpoints);
  const scripts = new Map<string, string>();
  for (let from = 0; from < parents.length && performance.now() < until; from += ASKED_AT_ONCE) {
    const asked = parents.slice(from, from + ASKED_AT_ONCE);
    const raws = await batch<unknown>(asked.map(({ call }) => call));
    for (const [nth, { txid }] of asked.entries()) {
      for (const { vout, script } of outputsIn(txid, raws[nth], format))
        if (wanted.has(`${txid}:${vout}`)) scripts.set(`${txid}:${vout}`, script);
      await breathe();
    }
  }
  return scripts;
};

const parentsOf = (outpoints: readonly string[]): ReadonlySet<string> =>
  new Set(outpoints.map((outpoint) => partsOf(outpoint).txid));

/** By an index or the mempool, else out of the blocks that have them. */
const provenScripts = async (client: RpcClient, wanted: Wanted, spentIn: Parameters<typeof parentsBlocks>[2]) => {
  const { outpoints } = wanted;
  const plain = [...parentsOf(outpoints)].map((txid): Parent => ({ txid, call: ['getrawtransaction', txid] }));
  const scripts = await scriptsBy(client, plain, wanted);
  const left = outpoints.filter((outpoint) => !scripts.has(outpoint));
  const parents = [...parentsOf(left)];
  if (parents.length === 0 || parents.length > MOST_OUT_OF_BLOCKS || performance.now() >= wanted.until) return scripts;
  const blocks = await parentsBlocks(client, left, spentIn);
  const mined = parents.flatMap((txid): readonly Parent[] => {
    const block = blocks.get(txid);
    return block === undefined ? [] : [{ txid, call: ['getrawtransaction', txid, 0, block] }];
  });
  return new Map([...scripts, ...(await scriptsBy(client, mined, wanted))]);
};

/** The name of each coin that it spends holds the hash of the bytes that made it, and they hold its script. */
export const provenSendersOf = async (
  client: RpcClient,
  { format, addressOf }: { readonly format: Format; readonly addressOf: AddressOf },
  { txid, inputs, isPegOut }: ChainTransaction,
  blockHash?: string,
): Promise<readonly Sender[] | undefined> => {
  if (isPegOut) return [];
  if (inputs.length === 0) return [undefined];
  const outpoints = inputs.slice(0, MOST_SENDERS);
  const wanted = { format, outpoints, until: performance.now() + LONGEST_MS };
  const spentIn = blockHash === undefined ? undefined : { txid, blockHash };
  const scripts = await provenScripts(client, wanted, spentIn);
  if (outpoints.some((outpoint) => !scripts.has(outpoint))) return undefined;
  return [...new Set(outpoints.map((outpoint) => addressOf(scripts.get(outpoint) ?? '')))];
};
