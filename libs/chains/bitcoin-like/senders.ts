import { type ChainTransaction, MOST_SENDERS, type Sender } from '../chain-node.ts';
import { NodeUnreadable } from '../readable.ts';
import type { Call, RpcClient } from '../rpc/client.ts';
import { NodeUnreachable } from '../rpc/errors.ts';

type Script = { readonly address?: unknown; readonly addresses?: unknown };
type Output = { readonly n: number; readonly scriptPubKey: Script };
type WithPrevouts = { readonly vin: readonly { readonly prevout?: { readonly scriptPubKey: Script } }[] };

/** As screening takes one. Whatever else a node tells in its place names nobody: another may tell it, or a person looks. */
const senderIn = (told: unknown): Sender =>
  typeof told === 'string' && /^[\x21-\x7e]{1,128}$/.test(told) ? told : undefined;

const addressesOf = ({ address, addresses }: Script): readonly Sender[] => {
  const named = address === undefined && Array.isArray(addresses) ? addresses : [address];
  return named.length > 0 ? named.map(senderIn) : [undefined];
};

const UNTOLD: Script = {};

/** Of those that it knows; a node that does not know one refuses, and says nothing with success of none. */
const told = <T extends object>(answers: readonly (T | null | undefined)[]): readonly (T | undefined)[] =>
  answers.map((answer) => {
    if (answer === null) throw new NodeUnreadable('it answers with nothing what a transaction is');
    return answer;
  });

export const partsOf = (outpoint: string) => {
  const [txid = '', vout] = outpoint.split(':');
  return { txid, vout: Number(vout) };
};

/** Each may have 400 kB, and many times that in a node's words: few are held at once. */
const ASKED_AT_ONCE = 5;

/** Out of the transactions that made these outputs, each asked for once; in the time that one answer may take. */
const madeScripts = async (
  client: RpcClient,
  outpoints: readonly string[],
): Promise<readonly (Script | undefined)[]> => {
  const { name, timeoutMs, batch } = client;
  const until = performance.now() + timeoutMs;
  const wanted = Map.groupBy(outpoints.map(partsOf), ({ txid }) => txid);
  const txids = [...wanted.keys()];
  const scripts: (Script | undefined)[] = [];
  for (let from = 0; from < txids.length; from += ASKED_AT_ONCE) {
    if (performance.now() > until)
      throw new NodeUnreachable(`${name} does not tell in time the ${txids.length} transactions that a payment spends`);
    const asked = txids.slice(from, from + ASKED_AT_ONCE);
    const made = told(
      await batch<{ vout: readonly Output[] } | null>(asked.map((txid): Call => ['getrawtransaction', txid, 1])),
    );
    for (const [nth, txid] of asked.entries()) {
      const outputs = made[nth] && new Map(made[nth].vout.map(({ n, scriptPubKey }) => [n, scriptPubKey]));
      scripts.push(...(wanted.get(txid) ?? []).map(({ vout }) => outputs && (outputs.get(vout) ?? UNTOLD)));
    }
  }
  return scripts;
};

/** The outputs that it spends, as they stand in the set of the unspent, else in the transactions that made them. */
const previousScripts = async (
  client: RpcClient,
  inputs: readonly string[],
): Promise<readonly (Script | undefined)[]> => {
  const unspent = await client.batch<{ scriptPubKey: Script } | null>(
    inputs.map((outpoint): Call => ['gettxout', partsOf(outpoint).txid, partsOf(outpoint).vout, false]),
  );
  const left = inputs.filter((_, nth) => !unspent[nth]);
  const known = unspent.flatMap((each) => (each ? [each.scriptPubKey] : []));
  return [...known, ...(await madeScripts(client, left))];
};

/** A node that keeps how blocks are undone knows what a mined transaction spent. */
const minedScripts = async ({ batch }: RpcClient, txid: string, blockHash: string): Promise<readonly Script[]> => {
  const [mined] = told(await batch<WithPrevouts | null>([['getrawtransaction', txid, 2, blockHash]]));
  const vin = mined?.vin ?? [];
  // One that does not keep how that block is undone tells of none.
  return vin.some(({ prevout }) => prevout) ? vin.map(({ prevout }) => prevout?.scriptPubKey ?? UNTOLD) : [];
};

export const sendersOf = async (
  client: RpcClient,
  { txid, inputs, isPegOut }: ChainTransaction,
  blockHash?: string,
): Promise<readonly Sender[]> => {
  if (isPegOut) return [];
  const mined = blockHash === undefined ? [] : await minedScripts(client, txid, blockHash);
  const scripts = mined.length > 0 ? mined : await previousScripts(client, inputs.slice(0, MOST_SENDERS));
  if (scripts.length === 0) return [undefined];
  // What waits at a node spends what that node has: it knows in a moment, or the payment is in a block by then.
  if (blockHash === undefined && scripts.includes(undefined))
    throw new NodeUnreadable(`it does not tell now what ${txid} spends`);
  return [...new Set(scripts.slice(0, MOST_SENDERS).flatMap((script) => addressesOf(script ?? UNTOLD)))];
};
