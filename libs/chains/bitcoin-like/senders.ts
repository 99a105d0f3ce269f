import { type ChainTransaction, MOST_SENDERS } from '../chain-node.ts';
import type { Call, RpcClient } from '../rpc/client.ts';

type Script = { readonly address?: string; readonly addresses?: readonly string[] };
type Output = { readonly n: number; readonly scriptPubKey: Script };
type WithPrevouts = { readonly vin: readonly { readonly prevout?: { readonly scriptPubKey: Script } }[] };

const addressOf = ({ address, addresses = [] }: Script): string | undefined => address ?? addresses[0];

const partsOf = (outpoint: string) => {
  const [txid = '', vout] = outpoint.split(':');
  return { txid, vout: Number(vout) };
};

/** The outputs that it spends, as they stand in the set of the unspent, else in the transactions that made them. */
const previousScripts = async ({ batch }: RpcClient, inputs: readonly string[]) => {
  const unspent = await batch<{ scriptPubKey: Script } | null>(
    inputs.map((outpoint): Call => ['gettxout', partsOf(outpoint).txid, partsOf(outpoint).vout, false]),
  );
  const left = inputs.filter((_, nth) => !unspent[nth]);
  const made = await batch<{ vout: readonly Output[] }>(
    left.map((outpoint): Call => ['getrawtransaction', partsOf(outpoint).txid, 1]),
  );
  const found = left.map((outpoint, nth) => made[nth]?.vout.find(({ n }) => n === partsOf(outpoint).vout));
  return [...unspent, ...found].flatMap((each) => (each ? [each.scriptPubKey] : []));
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
