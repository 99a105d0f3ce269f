import { isOfNode, unless } from '../readable.ts';
import { NodeRefused, type RpcClient } from '../rpc/client.ts';
import { type Fees, feesOf } from './fees.ts';
import { type Frame, INTERNAL, type Paid, paidBy } from './frames.ts';
import { throwTold } from './past-state.ts';
import { type Difference, type Moving, paidByState } from './state.ts';

export const TRACES = 'debug_traceBlockByHash';
export const CALLS = { tracer: 'callTracer' };

export type Traced = Moving & { readonly nonce: string };
export type TracedBlock = {
  readonly hash: string;
  readonly miner: string;
  readonly baseFeePerGas?: string;
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
  const traces =
    transactions.length === 0
      ? []
      : await call<readonly Trace<T>[]>(TRACES, hash, tracer).catch((error: unknown) => throwTold(TRACES, error));
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
/** `fees` undefined: nobody had to ask for them. */
export type CallsRead = { readonly read: readonly Read[]; readonly fees?: Fees };

const ALONE = { ...CALLS, timeout: '2s' };
/**
 * Whoever fills a block with such transactions does not keep us for as long as each of them takes; and for each that is
 * asked for alone a node plays all before it once more.
 */
const [MOST_FAILED, WITHIN_MS] = [3, 4_000];

const NOTHING: Paid = { outputs: [], passedOn: [], senders: [] };

/** Without what moves of its own, by its calls, they tell nothing that the state does not. */
const movesInside = ({ outputs, passedOn }: Paid): boolean =>
  passedOn.length > 0 || outputs.some(({ vout }) => vout === INTERNAL);

const oneByOne = async (client: RpcClient, block: TracedBlock, states: Told<Difference>): Promise<CallsRead> => {
  const fees = await feesOf(client, block);
  const until = performance.now() + WITHIN_MS;
  const read: Read[] = [];
  let unread = 0;
  const callsOf = async ({ hash }: Traced): Promise<Frame | undefined> => {
    if (unread >= MOST_FAILED || performance.now() > until) return undefined;
    const top = await unless(isOfNode, client.call<Frame>('debug_traceTransaction', hash, ALONE));
    if (!top) unread += 1;
    return top;
  };
  for (const [sent, state] of states) {
    const fee = fees.get(sent.hash);
    // What failed moved nothing, and needs no trace.
    if (fee?.hasFailed) {
      read.push({ sent, paid: { ...NOTHING, senders: [sent.from.toLowerCase()] }, isByState: false });
      continue;
    }
    const byState = paidByState(sent, block.miner, state, fee);
    const isPlain = !movesInside(byState);
    const top = isPlain ? undefined : await callsOf(sent);
    read.push({ sent, paid: top ? paidBy(top) : byState, isByState: !isPlain && !top });
  }
  return { read, fees };
};

/**
 * Each call is written with its input, so that a cheap transaction can make calls that no node ever tells: of such a
 * one counts what the state says that came of it.
 */
export const readCalls = async (
  client: RpcClient,
  block: TracedBlock,
  states: Told<Difference>,
): Promise<CallsRead> => {
  const calls = await unless(isOfNode, tracesOf<Frame>(client, block, CALLS));
  return calls
    ? { read: calls.map(([sent, top]) => ({ sent, paid: paidBy(top), isByState: false })) }
    : oneByOne(client, block, states);
};
