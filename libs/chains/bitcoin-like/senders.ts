import { type ChainTransaction, MOST_SENDERS } from '../chain-node.ts';
import type { Call, RpcClient } from '../rpc/client.ts';
import { NodeUnreachable } from '../rpc/errors.ts';

type Script = { readonly address?: string; readonly addresses?: readonly string[] };
type Output = { readonly n: number; readonly scriptPubKey: Script };
type WithPrevouts = { readonly vin: readonly { readonly prevout?: { readonly scriptPubKey: Script } }[] };

const addressOf = ({ address, addresses = [] }: Script): string | undefined => address ?? addresses[0];

export const partsOf = (outpoint: string) => {
  const [txid = '', vout] = outpoint.split(':');
  return { txid, vout: Number(vout) };
};

/** Each may have 400 kB, and many times that in a node's words: few are held at once. */
const ASKED_AT_ONCE = 5;

/** Out of the transactions that made these outputs, each asked for once; in the time that one answer may take. */
const madeScripts = async (client: RpcClient, outpoints: readonly string[]): Promise<readonly Script[]> => {
  const { name, timeoutMs, batch } = client;
  const until = performance.now() + timeoutMs;
  const wanted = Map.groupBy(outpoints.map(partsOf), ({ txid }) => txid);
  const txids = [...wanted.keys()];
  const scripts: Script[] = [];
  for (let from = 0; from < txids.length; from += ASKED_AT_ONCE) {
    if (performance.now() > until)
      throw new NodeUnreachable(`${name} does not tell in time the ${txids.length} transactions that a payment spends`);
    const asked = txids.slice(from, from + ASKED_AT_ONCE);
    const made = await batch<{ vout: readonly Output[] }>(asked.map((txid): Call => ['getrawtransaction', txid, 1]));
    for (const [nth, txid] of asked.entries()) {
      const numbers = new Set(wanted.get(txid)?.map(({ vout }) => vout));
      const outputs = made[nth]?.vout.filter(({ n }) => numbers.has(n)) ?? [];
      scripts.push(...outputs.map(({ scriptPubKey }) => scriptPubKey));
    }
  }
  return scripts;
};

/** The outputs that it spends, as they stand in the set of the unspent, else in the transactions that made them. */
const previousScripts = async (client: RpcClient, inputs: readonly string[]): Promise<readonly Script[]> => {
  const unspent = await client.batch<{ scriptPubKey: Script } | null>(
    inputs.map((outpoint): Call => ['gettxout', partsOf(outpoint).txid, partsOf(outpoint).vout, false]),
  );
  const left = inputs.filter((_, nth) => !unspent[nth]);
  const known = unspent.flatMap((each) => (each ? [each.scriptPubKey] : []));
  return [...known, ...(await madeScripts(client, left))];
};

/** A node that keeps how blocks are undone knows what a mined transaction spent. */
const minedScripts = async ({ batch }: RpcClient, txid: string, blockHash: string): Promise<readonly Script[]> => {
  const [told] = await batch<WithPrevouts>([['getrawtransaction', txid, 2, blockHash]]);
  return (told?.vin ?? []).flatMap(({ prevout }) => (prevout ? [prevout.scriptPubKey] : []));
};

export const sendersOf = async (
  client: RpcClient,
  { txid, inputs, isPegOut }: ChainTransaction,
  blockHash?: string,
): Promise<readonly string[]> => {
  if (isPegOut) return [];
  const mined = blockHash === undefined ? [] : await minedScripts(client, txid, blockHash);
  const scripts = mined.length > 0 ? mined : await previousScripts(client, inputs.slice(0, MOST_SENDERS));
  return [...new Set(scripts.slice(0, MOST_SENDERS).flatMap((script) => addressOf(script) ?? []))];
};
