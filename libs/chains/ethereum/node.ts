import type { BlockTip, ChainBlock, ChainNode, ChainTransaction } from '../chain-node.ts';
import { checkedTip } from '../checked-tip.ts';
import { readable, readOr } from '../readable.ts';
import { lacksMethod, type NodePlace, NodeRefused, type RpcClient, rpcClient } from '../rpc/client.ts';
import { createSift } from '../rpc/sieve.ts';
import { pastStateMissing } from './past-state.ts';
import { type Difference, gainsBy, STATE } from './state.ts';
import { readCalls, TRACES, tracesOf } from './traces.ts';

const named: Readonly<Record<string, number>> = { main: 1, sepolia: 11_155_111, hoodi: 560_048 };

/** Of a network by its name; any other chain by its id. */
export const chainIdOf = (network: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(network) ? Number(network) : named[network];

export type EthereumPlace = NodePlace & { readonly network: string };

type Head = {
  readonly hash: string;
  readonly number: string;
  readonly parentHash: string;
  readonly timestamp: string;
};
type Sent = { readonly hash: string; readonly from: string; readonly nonce: string };
type Waiting = Sent & { readonly to: string | null; readonly value: string };
type Block = Head & {
  readonly miner: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly Waiting[];
};

const hex = (height: number): string => `0x${height.toString(16)}`;

const outpointOf = ({ from, nonce }: Sent): string => `${from.toLowerCase()}:${Number(nonce)}`;

/** Two of one sender with the same number exclude each other, whatever else they are. */
const account = (sent: Sent) => ({
  txid: sent.hash.toLowerCase(),
  inputs: [outpointOf(sent)],
  replaceable: false,
  isPegOut: false,
  raw: undefined,
});

const waitingOf = (sent: Waiting): ChainTransaction => ({
  ...account(sent),
  outputs:
    sent.to === null || BigInt(sent.value) === 0n
      ? []
      : [{ vout: 0, script: sent.to.toLowerCase(), amount: BigInt(sent.value) }],
  senders: [sent.from.toLowerCase()],
});

const blockOf = async (client: RpcClient, tracing: RpcClient, hash: string): Promise<ChainBlock | undefined> => {
  const block = await client.call<Block | null>('eth_getBlockByHash', hash, true);
  if (!block) return undefined;
  const { parentHash: parent, timestamp, miner } = block;
  const states = await tracesOf<Difference>(client, block, STATE);
  const { read, fees } = await readCalls(tracing, block, states);
  return {
    hash,
    parent,
    time: Number(BigInt(timestamp)),
    transactions: read.map(({ sent, paid }) => ({ ...account(sent), ...paid })),
    gains: states.flatMap(([sent, state]) => gainsBy(sent, miner, state, fees?.get(sent.hash))),
    byState: read.flatMap(({ sent, isByState }) => (isByState ? [sent.hash.toLowerCase()] : [])),
  };
};

type Syncing = false | { readonly currentBlock?: string; readonly highestBlock?: string };

/** Geth speaks of syncing too while it only indexes the blocks that it has. */
const isBehind = (said: Syncing): boolean =>
  said !== false && !(Number(said.currentBlock) >= Number(said.highestBlock));

/** Of what is not there, or no number, it is none. */
const numberOf = (text: string): number => (/^0x[0-9a-f]+$/i.test(text) ? Number(text) : Number.NaN);

const tipOf = async ({ call }: RpcClient): Promise<BlockTip> => {
  const head = await call<Head>('eth_getBlockByNumber', 'latest', false);
  const isSyncing = isBehind(await call<Syncing>('eth_syncing'));
  const [height, time] = [numberOf(head.number), numberOf(head.timestamp)];
  return checkedTip({ hash: head.hash, height, time, isSyncing, prunedBelow: 0 });
};

const checkNode = async ({ call, name }: RpcClient, network: string): Promise<string | undefined> => {
  const chainId = Number(await call<string>('eth_chainId'));
  if (chainId !== chainIdOf(network)) return `${name} is not of ETH's network ${network}: its chain id is ${chainId}`;
  const { hash } = await call<Head>('eth_getBlockByNumber', 'latest', false);
  const traced = await call(TRACES, hash, STATE).catch((error: unknown) => error);
  return lacksMethod(traced)
    ? `${name} does not trace: without debug_traceBlockByHash what contracts pay would be missed`
    : undefined;
};

type Pool = { readonly pending: Readonly<Record<string, Readonly<Record<string, Waiting>>>> };

/** Each may bring 128 kB of input, twice that as a text, and thousands wait: of it nothing is kept. */
const MOST_POOL = 512 * 2 ** 20;
const SHARE_KEPT = 1 / 16;

const poolingAt = (place: NodePlace): RpcClient => {
  const { mostBytes = MOST_POOL } = place;
  return rpcClient({ ...place, mostBytes }, () => ({ sift: createSift(), mostKept: mostBytes * SHARE_KEPT }));
};

/** What waits, by its id: a node tells all of it at once, and is not asked again for each. */
const waiting = async ({ call }: RpcClient): Promise<Map<string, ChainTransaction>> => {
  const { pending } = await call<Pool>('txpool_content');
  const all = Object.entries(pending).flatMap(([from, byNonce]) =>
    Object.values(byNonce).map((sent) => readOr(sent.hash.toLowerCase(), () => waitingOf({ ...sent, from }))),
  );
  return new Map(all.map((transaction) => [transaction.txid, transaction]));
};

const submitTo = async ({ call }: RpcClient, raw: string) => {
  try {
    await call('eth_sendRawTransaction', raw);
    return { isIn: true } as const;
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
    const isKnown = /already known|already imported/i.test(error.message);
    return isKnown ? ({ isIn: true } as const) : ({ isIn: false, reason: error.message } as const);
  }
};

/** What is longer than the calls of any common block is asked for by the transaction. */
const MOST_TRACED = 64 * 2 ** 20;

const NEXT = 'it is not the next transaction of its sender';

/** A full node of Ethereum that the operator runs, with `debug_` and `txpool_`. */
export const ethereumNode = (place: EthereumPlace): ChainNode => {
  const client = rpcClient(place);
  const tracing = rpcClient({ ...place, mostBytes: place.mostBytes ?? MOST_TRACED });
  const pooling = poolingAt(place);
  const { call } = client;
  let pool = new Map<string, ChainTransaction>();
  return readable({
    name: client.name,
    check: () => checkNode(client, place.network),
    shortcoming: ({ height }) => pastStateMissing(client, height),
    tip: () => tipOf(client),
    hashAt: async (height) => (await call<Head | null>('eth_getBlockByNumber', hex(height), false))?.hash,
    block: (hash) => blockOf(client, tracing, hash),
    settledHeight: async (tag) => {
      const head = await call<Head | null>('eth_getBlockByNumber', tag, false);
      return head ? Number(head.number) : undefined;
    },
    mempool: async () => {
      pool = await waiting(pooling);
      return [...pool.keys()];
    },
    transactions: async (txids) => txids.flatMap((txid) => pool.get(txid) ?? []),
    raw: async (txid) => (await client.batch<string>([['eth_getRawTransactionByHash', txid]]))[0] ?? undefined,
    submit: (raw) => submitTo(client, raw),
    spenders: async (outpoints) => {
      const all = [...(await waiting(pooling)).values()];
      return all.flatMap(({ txid, inputs }) => (inputs.some((each) => outpoints.includes(each)) ? [txid] : []));
    },
    sendersOf: async ({ senders }) => senders,
    doubt: async ({ inputs: [outpoint = ''] }) => {
      const [sender, nonce] = outpoint.split(':');
      return Number(await call<string>('eth_getTransactionCount', sender, 'latest')) === Number(nonce)
        ? undefined
        : NEXT;
    },
  });
};
