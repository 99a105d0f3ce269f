import { isOfNode, unless } from '../readable.ts';
import { NodeRefused, type RpcClient } from '../rpc/client.ts';
import { type Frame, type Paid, paidBy } from './frames.ts';
import { type Difference, type Moving, paidByState } from './state.ts';

export const TRACES = 'debug_traceBlockByHash';
export const CALLS = { tracer: 'callTracer' };

export type Traced = Moving & { readonly nonce: string };
export type TracedBlock = {
  readonly hash: string;
  readonly miner: string;
  readonly transactions: readonly Traced[];
};

type Trace<T> = { readonly txHash?: string; readonly result?: T; readonly error?: string };
type Told<T> = readonly (readonly [Traced, T])[];

/** One trace that failed holds the block: what it would have told may be a payment. */
export const tracesOf = async <T>(
  { call }: RpcClient,
  { hash, transactions }: TracedBlock,
  tracer: object,
): Promise<Told<T>> => {
  const traces = transactions.length === 0 ? [] : await call<readonly Trace<T>[]>(TRACES, hash, tracer);
  return transactions.map((sent, nth) => {
    const { result, error, txHash = sent.hash }: Trace<T> = traces[nth] ?? {};
    if (!result || error !== undefined)
      throw new NodeRefused(TRACES, 0, `${sent.hash} of ${hash} has no trace: ${error ?? 'none'}`);
    if (txHash !== sent.hash)
      throw new NodeRefused(TRACES, 0, `the traces of ${hash} are not in the order of its transactions`);
    return [sent, result];
  });
};

export type Read = { readonly sent: Traced; readonly paid: Paid; readonly isByState: boolean };

const ALONE = { ...CALLS, timeout: '2s' };
/** Whoever fills a block with such transactions does not keep us for as long as each of them takes. */
const MOST_FAILED = 3;

const NOTHING: Paid = { outputs: [], passedOn: [], senders: [] };

/** By the receipts: what failed moved nothing, and needs no trace. */
const failedOf = async ({ batch }: RpcClient, { hash, transactions }: TracedBlock): Promise<ReadonlySet<string>> => {
  const receipts = await batch<{ readonly status: string; readonly blockHash: string }>(
    transactions.map((sent) => ['eth_getTransactionReceipt', sent.hash]),
  );
  const failed = transactions.filter((sent, nth) => {
    const receipt = receipts[nth];
    if (receipt?.blockHash !== hash || !['0x0', '0x1'].includes(receipt.status))
      throw new NodeRefused('eth_getTransactionReceipt', 0, `${sent.hash} of ${hash} has no receipt`);
    return receipt.status === '0x0';
  });
  return new Set(failed.map((sent) => sent.hash));
};

const oneByOne = async (client: RpcClient, block: TracedBlock, states: Told<Difference>): Promise<readonly Read[]> => {
  const failed = await failedOf(client, block);
  const all: Read[] = [];
  let unread = 0;
  for (const [sent, state] of states) {
    if (failed.has(sent.hash)) {
      all.push({ sent, paid: { ...NOTHING, senders: [sent.from.toLowerCase()] }, isByState: false });
      continue;
    }
    const top =
      unread < MOST_FAILED
        ? await unless(isOfNode, client.call<Frame>('debug_traceTransaction', sent.hash, ALONE))
        : undefined;
    if (!top) unread += 1;
    all.push({ sent, paid: top ? paidBy(top) : paidByState(sent, block.miner, state), isByState: !top });
  }
  return all;
};

/**
 * Each call is written with its input, so that a cheap transaction can make calls that no node ever tells: of such a
 * one counts what the state says that came of it.
 */
export const readCalls = async (
  client: RpcClient,
  block: TracedBlock,
  states: Told<Difference>,
): Promise<readonly Read[]> => {
  const calls = await unless(isOfNode, tracesOf<Frame>(client, block, CALLS));
  return calls
    ? calls.map(([sent, top]) => ({ sent, paid: paidBy(top), isByState: false }))
    : oneByOne(client, block, states);
};
