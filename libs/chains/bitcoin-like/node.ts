import type { BlockTip, ChainNode, ChainTransaction } from '../chain-node.ts';
import { checkedHash, shown } from '../checked-hash.ts';
import { checkedTime, checkedTip } from '../checked-tip.ts';
import { NodeUnreadable, readable, unless } from '../readable.ts';
import { type Call, type NodePlace, type RpcClient, rpcClient } from '../rpc/client.ts';
import { lacksMethod, NodeRefused } from '../rpc/errors.ts';
import { wordsOf } from '../rpc/words.ts';
import { isAllSeen } from './extension.ts';
import { feeDoubt } from './fees.ts';
import { formats } from './formats.ts';
import { type BitcoinLikeCoin, genesisOf, landmarkOf } from './networks.ts';
import { provenBlock } from './proven-block.ts';
import { type AddressOf, provenSendersOf } from './proven-senders.ts';
import { partsOf, sendersOf } from './senders.ts';
import { submitTo } from './submit.ts';
import { waitingAt } from './waiting.ts';

/** Undefined when it is a node of that network. */
const checkNetwork = async (
  { call, name }: RpcClient,
  { coin, network }: { readonly coin: BitcoinLikeCoin; readonly network: string },
): Promise<string | undefined> => {
  const first = await call<string>('getblockhash', 0);
  if (first !== genesisOf(coin, network))
    return `${name} is not of ${coin}'s network ${network}: it begins with ${wordsOf(first)}`;
  const landmark = landmarkOf(coin, network);
  if (!landmark || (await call<number>('getblockcount')) < landmark.height) return undefined;
  const there = await call<string>('getblockhash', landmark.height);
  return there === landmark.hash
    ? undefined
    : `${name} is not of ${coin}: its block ${landmark.height} is ${wordsOf(there)}`;
};

export type BitcoinLikePlace = NodePlace & {
  readonly coin: BitcoinLikeCoin;
  readonly network: string;
  /** As its network writes them; where that is not known, it proves no sender. */
  readonly addressOf?: AddressOf | undefined;
};

type ChainInfo = {
  readonly blocks: number;
  readonly headers: number;
  readonly bestblockhash: string;
  readonly time?: number;
  readonly initialblockdownload?: boolean;
  readonly pruneheight?: number;
};

/** Undefined for a refusal: not known, of another branch. */
const orUndefined = <T>(asked: Promise<T>): Promise<T | undefined> =>
  unless((error) => error instanceof NodeRefused, asked);

/** Bitcoin Core's kin say -8, btcd's -1. */
const isAboveTip = (error: unknown): boolean =>
  error instanceof NodeRefused && (error.code === -8 || (error.code === -1 && /out of range/i.test(error.message)));

/** Any other refusal says nothing of the block: to take it for gone would tell a reorganisation. */
const hashAt = ({ call }: RpcClient, height: number): Promise<string | undefined> =>
  unless(
    isAboveTip,
    call<unknown>('getblockhash', height).then((hash) => checkedHash(hash, height)),
  );

/** One that is pruned keeps the headers. */
const timeAt = async (client: RpcClient, height: number): Promise<number | undefined> => {
  const hash = await hashAt(client, height);
  if (hash === undefined) return undefined;
  return checkedTime((await client.call<{ time: unknown }>('getblockheader', hash)).time, height);
};

const tipOf = async ({ call }: RpcClient): Promise<BlockTip> => {
  const info = await call<ChainInfo>('getblockchaininfo');
  const { blocks: height, bestblockhash: hash, initialblockdownload = false, pruneheight = 0 } = info;
  const time = info.time ?? (await call<{ time: number }>('getblockheader', hash)).time;
  return checkedTip({ hash, height, time, isSyncing: initialblockdownload, prunedBelow: pruneheight });
};

const isTxid = (told: unknown): told is string => typeof told === 'string' && /^[0-9a-f]{64}$/.test(told);

const mempoolOf = async ({ call }: RpcClient): Promise<readonly string[]> => {
  const txids = await call<unknown>('getrawmempool');
  if (Array.isArray(txids) && txids.every(isTxid)) return txids;
  throw new TypeError('its mempool is no list of transactions');
};

const bytesIn = (txid: string, told: unknown): string | undefined => {
  if (told === undefined || (typeof told === 'string' && /^[0-9a-f]+$/i.test(told) && told.length % 2 === 0))
    return told;
  throw new NodeUnreadable(`it sends for ${txid} what are no bytes`);
};

const rawOf = async ({ call }: RpcClient, txid: string): Promise<string | undefined> =>
  bytesIn(txid, (await orUndefined(call<unknown>('getrawtransaction', txid))) ?? undefined);

/** With an index a node gives what was in a block that it gave up, and that may wait no more. btcd tells no entries. */
const hasWaiting = async (client: RpcClient, txid: string): Promise<boolean> => {
  try {
    // What stands in front of several may say nothing with success.
    return (await client.call<object | null>('getmempoolentry', txid)) !== null;
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
    return lacksMethod(error) && (await rawOf(client, txid)) !== undefined;
  }
};

const spendersOf = async ({ call }: RpcClient, outpoints: readonly string[]): Promise<readonly string[]> => {
  if (outpoints.length === 0) return [];
  const spent = call<readonly { spendingtxid?: string }[]>('gettxspendingprevout', outpoints.map(partsOf));
  const told = await orUndefined(spent);
  const named = told === undefined ? [] : told.flatMap(({ spendingtxid }) => spendingtxid ?? []);
  const odd = named.find((txid) => !isTxid(txid));
  if (odd !== undefined) throw new NodeUnreadable(`it names a transaction that is none: ${shown(odd)}`);
  return named;
};

/** What it refuses to tell is not known to be gone. */
const goneOf = async ({ batch }: RpcClient, outpoints: readonly string[]): Promise<readonly string[]> => {
  const outputs = await batch<object | null>(
    outpoints.map(partsOf).map(({ txid, vout }): Call => ['gettxout', txid, vout, true]),
  );
  return outpoints.filter((_, nth) => outputs[nth] === null);
};

const INDEX =
  'it keeps no index of transactions, and tells of none that was mined before it was seen where all of it comes from: start it with txindex=1';

/** Bitcoin's own node tells of whatever it has in blocks what that spent; others of its kind only by their index. */
const indexMissing = async ({ call }: RpcClient, coin: BitcoinLikeCoin): Promise<string | undefined> => {
  if (coin === 'BTC') return undefined;
  const indexes = await unless(lacksMethod, call<object>('getindexinfo'));
  return indexes === undefined || 'txindex' in indexes ? undefined : INDEX;
};

/** Of transactions by their names: 25 that wait have 20 MB as a text, and five of the longest of blocks 42 MB. */
const MOST_NAMED = 48 * 2 ** 20;

/**
 * Bitcoin Core and what descends from it, and btcd. Where one lacks a question (Litecoin's node: who spends an output)
 * the answer is that nothing is known.
 */
export const bitcoinLikeNode = (place: BitcoinLikePlace): ChainNode => {
  const client = rpcClient(place);
  const naming = rpcClient({ ...place, mostBytes: place.mostBytes ?? MOST_NAMED });
  const { call } = client;
  const { addressOf, coin } = place;
  const format = formats[coin];
  return readable({
    name: client.name,
    check: () => checkNetwork(client, place),
    shortcoming: () => indexMissing(client, coin),
    tip: () => tipOf(client),
    hashAt: (height) => hashAt(client, height),
    timeAt: (height) => timeAt(client, height),
    block: async (hash) => {
      const hex = await orUndefined(call<string>('getblock', hash, 0));
      if (hex === undefined) return undefined;
      const block = provenBlock(coin, hash, hex);
      if (!block) throw new NodeUnreadable('it sends for a block what is not that block');
      return block;
    },
    settledHeight: async () => undefined,
    mempool: () => mempoolOf(client),
    transactions: (txids) => waitingAt(naming, txids, format),
    raw: (txid) => rawOf(naming, txid),
    hasWaiting: (txid) => hasWaiting(naming, txid),
    submit: (raw) => submitTo(client, raw),
    spenders: (outpoints) => spendersOf(client, outpoints),
    gone: (outpoints) => goneOf(client, outpoints),
    sendersOf: (transaction, blockHash) => sendersOf(client, transaction, blockHash),
    ...(addressOf && {
      provenSendersOf: (transaction: ChainTransaction, blockHash?: string) =>
        provenSendersOf(naming, { format, addressOf }, transaction, blockHash),
    }),
    doubt: ({ txid }) => feeDoubt(client, txid),
    ...(format.hasExtension && { mayComeNext: (txid: string) => isAllSeen(naming, txid, format) }),
  });
};
