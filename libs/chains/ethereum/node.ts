import type { BlockTip, ChainBlock, ChainNode, ChainTransaction } from '../chain-node.ts';
import { checkedHash } from '../checked-hash.ts';
import { checkedTime, checkedTip } from '../checked-tip.ts';
import { NodeUnreadable, readable } from '../readable.ts';
import { type NodePlace, type RpcClient, rpcClient } from '../rpc/client.ts';
import { lacksMethod } from '../rpc/errors.ts';
import { besideIn, type Withdrawal } from './beside.ts';
import { provenBy, rawOf, saysOf, sendersOf } from './by-name.ts';
import { mayComeNext } from './certainty.ts';
import { createLendings } from './lendings.ts';
import { usedUpBy } from './numbers.ts';
import { pastStateMissing } from './past-state.ts';
import {
  account,
  failedIn,
  isWaiting,
  landedIn,
  nextNumber,
  outpointOf,
  poolingAt,
  spendersOf,
  spendingOf,
  usedNumbers,
  type Waiting,
  waiting,
} from './pool.ts';
import { hashIn } from './shapes.ts';
import { type Difference, gainsBy, STATE } from './state.ts';
import { submitTo } from './submit.ts';
import { readCalls, TRACES, tracesOf } from './traces.ts';
import { openGains } from './witness.ts';

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
type Block = Head & {
  readonly miner: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly Waiting[];
  readonly withdrawals?: readonly Withdrawal[] | null;
};

const hex = (height: number): string => `0x${height.toString(16)}`;

/** Of what is not there, or no number, it is none. */
const numberOf = (text: string): number => (/^0x[0-9a-f]+$/i.test(text) ? Number(text) : Number.NaN);

const blockOf = async (client: RpcClient, tracing: RpcClient, hash: string): Promise<ChainBlock | undefined> => {
  const block = await client.call<Block | null>('eth_getBlockByHash', hash, true);
  if (!block) return undefined;
  if (block.hash !== hash) throw new TypeError('it is not the block that was asked for');
  const { miner } = block;
  const told = await tracesOf<Difference>(client, block, STATE);
  const { read, states, open, fees } = await readCalls(tracing, block, told);
  const usedUp = new Map(states.map(([sent, state]) => [sent.hash, usedUpBy(outpointOf(sent), state)] as const));
  return {
    hash,
    parent: hashIn(block.parentHash),
    time: checkedTime(numberOf(block.timestamp), numberOf(block.number)),
    transactions: read.map(({ sent, paid }) => ({ ...account(sent), ...paid, usedUp: usedUp.get(sent.hash) ?? [] })),
    gains: [
      ...states.flatMap(([sent, state]) => gainsBy(sent, miner, state, fees?.get(sent.hash))),
      ...openGains(open),
    ],
    beside: besideIn(block),
    byState: read.flatMap(({ sent, isByState }) => (isByState ? [hashIn(sent.hash)] : [])),
  };
};

type Syncing = false | { readonly currentBlock?: string; readonly highestBlock?: string };

/** Geth speaks of syncing too while it only indexes the blocks that it has; one that has begun knows of none yet. */
const isBehind = (said: Syncing, height: number): boolean =>
  said !== false && (height === 0 || !(Number(said.currentBlock) >= Number(said.highestBlock)));

const tipOf = async ({ call }: RpcClient): Promise<BlockTip> => {
  const head = await call<Head>('eth_getBlockByNumber', 'latest', false);
  const [height, time] = [numberOf(head.number), numberOf(head.timestamp)];
  const isSyncing = isBehind(await call<Syncing>('eth_syncing'), height);
  return checkedTip({ hash: head.hash, height, time, isSyncing, prunedBelow: 0 });
};

const settledAt = async ({ call }: RpcClient, tag: 'safe' | 'finalized'): Promise<number | undefined> => {
  const head = await call<Head | null>('eth_getBlockByNumber', tag, false);
  if (!head) return undefined;
  const height = numberOf(head.number);
  if (Number.isNaN(height)) throw new NodeUnreadable(`it calls block ${head.number} ${tag}`);
  return height;
};

/** Of this a node says at once that it has not got it, or that it does not trace: a full block may take it longer than a check may. */
const NO_BLOCK = `0x${'00'.repeat(32)}`;

const checkNode = async ({ call, name }: RpcClient, network: string): Promise<string | undefined> => {
  const chainId = Number(await call<string>('eth_chainId'));
  if (chainId !== chainIdOf(network)) return `${name} is not of ETH's network ${network}: its chain id is ${chainId}`;
  const traced = await call(TRACES, NO_BLOCK, STATE).catch((error: unknown) => error);
  return lacksMethod(traced)
    ? `${name} does not trace: without debug_traceBlockByHash what contracts pay would be missed`
    : undefined;
};

/** Of one transaction, as a text: with its blobs it has a megabyte, and no block has room for one of eight. */
const MOST_RAW = 16 * 2 ** 20;

/** What is longer than the calls of any common block is asked for by the transaction. */
const MOST_TRACED = 64 * 2 ** 20;

const NEXT = 'it is not the next transaction of its sender';
const TAKEN = 'another that waits takes its number by an authorisation of its sender';

/** A full node of Ethereum that the operator runs, with `debug_` and `txpool_`. */
export const ethereumNode = (place: EthereumPlace): ChainNode => {
  const client = rpcClient(place);
  const tracing = rpcClient({ ...place, mostBytes: place.mostBytes ?? MOST_TRACED });
  const naming = rpcClient({ ...place, mostBytes: place.mostBytes ?? MOST_RAW });
  const pooling = poolingAt(place);
  const { call } = client;
  const chainId = chainIdOf(place.network);
  let pool = new Map<string, ChainTransaction>();
  const lendings = createLendings(client, chainId);
  return readable({
    name: client.name,
    check: () => checkNode(client, place.network),
    shortcoming: ({ height }) => pastStateMissing(client, height),
    tip: () => tipOf(client),
    hashAt: async (height) => {
      const head = await call<Head | null>('eth_getBlockByNumber', hex(height), false);
      return head ? checkedHash(head.hash, height) : undefined;
    },
    timeAt: async (height) => {
      const head = await call<Head | null>('eth_getBlockByNumber', hex(height), false);
      return head ? checkedTime(numberOf(head.timestamp), height) : undefined;
    },
    block: (hash) => blockOf(client, tracing, hash),
    settledHeight: (tag) => settledAt(client, tag),
    mempool: async () => {
      const looked = await waiting(pooling);
      pool = looked.pool;
      await lendings.look(looked.lending);
      return [...pool.keys()];
    },
    transactions: async (txids) => txids.flatMap((txid) => pool.get(txid) ?? []),
    raw: (txid) => rawOf(naming, txid),
    hasWaiting: (txid) => isWaiting(client, pooling, txid),
    saysOf: (txid) => saysOf(client, txid),
    provenBy: (txid) => provenBy(naming, chainId, txid),
    landed: (txid) => landedIn(client, txid),
    failed: (txid) => failedIn(client, txid),
    spending: (hash) => spendingOf(client, hash),
    submit: (raw) => submitTo(client, raw),
    spenders: (outpoints) => spendersOf(pooling, outpoints),
    gone: (outpoints) => usedNumbers(client, outpoints),
    sendersOf: (transaction) => sendersOf(client, transaction),
    doubt: async ({ txid, inputs: [outpoint = ''] }) => {
      const [sender = '', nonce] = outpoint.split(':');
      if ((await nextNumber(client, sender)) !== Number(nonce)) return NEXT;
      return lendings.mayTake(outpoint, txid) ? TAKEN : undefined;
    },
    mayComeNext: async (txid) => {
      const [outpoint = ''] = pool.get(txid)?.inputs ?? [];
      return lendings.isWhole() && lendings.mayTake(outpoint, txid) === false && mayComeNext(client, txid);
    },
  });
};
