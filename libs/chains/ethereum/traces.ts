import { isOfNode, unless } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';
import { type Fees, feesOf } from './fees.ts';
import { endedIn, type Frame, INTERNAL, type Paid, paidBy } from './frames.ts';
import { movesAlone, movesOf } from './moves.ts';
import { throwTold } from './past-state.ts';
import { accountIn } from './shapes.ts';
import { type Difference, type Moving, paidByState, saysTheSame } from './state.ts';

export const TRACES = 'debug_traceBlockByHash';
const CALLS = { tracer: 'callTracer' };

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

/**
 * Whoever fills a block with such transactions does not keep us for as long as each of them takes; and for each that is
 * asked for alone a node plays all before it once more.
 */
const [MOST_FAILED, WITHIN_MS] = [3, 4_000];

const NOTHING: Paid = { outputs: [], passedOn: [], senders: [] };

/** Without what moves of its own, by its calls, they tell nothing that the state does not. */
const movesInside = ({ outputs, passedOn }: Paid): boolean =>
  passedOn.length > 0 || outputs.some(({ vout }) => vout === INTERNAL);

type CallsOf = (sent: Traced) => Promise<Frame | undefined>;

/** Of so many, and within so long, as a block may take. */
const withinReason = (ask: CallsOf): CallsOf => {
  const until = performance.now() + WITHIN_MS;
  let unread = 0;
  return async (sent) => {
    if (unread >= MOST_FAILED || performance.now() > until) return undefined;
    const top = await unless(isOfNode, ask(sent));
    if (!top) unread += 1;
    return top;
  };
};

const callsAlone = ({ call }: RpcClient, hash: string, timeout: string): Promise<Frame> =>
  call<Frame>('debug_traceTransaction', hash, { ...CALLS, timeout });

const oneByOne = async (
  block: TracedBlock,
  states: Told<Difference>,
  fees: Fees,
  callsOf: CallsOf,
): Promise<CallsRead> => {
  const read: Read[] = [];
  for (const [sent, state] of states) {
    const fee = fees.get(sent.hash);
    // What failed moved nothing, and needs no trace.
    if (fee?.hasFailed) {
      read.push({ sent, paid: { ...NOTHING, senders: [accountIn(sent.from)] }, isByState: false });
      continue;
    }
    const byState = paidByState(sent, block.miner, state, fee);
    const isPlain = !movesInside(byState);
    const top = isPlain ? undefined : await callsOf(sent);
    read.push({ sent, paid: top ? paidBy(top) : byState, isByState: !isPlain && !top });
  }
  return { read, fees };
};

const readAll = (calls: Told<Frame>): CallsRead => ({
  read: calls.map(([sent, top]) => ({ sent, paid: paidBy(top), isByState: false })),
});

type Moves = NonNullable<Awaited<ReturnType<typeof movesOf>>>;

/**
 * Each 1,000 gas may make a node keep some MB of what calls carry, and where its own tracer tells no SELFDESTRUCT whoever
 * ends a contract contradicts the state: of what used more than this nobody asks for the calls, and the state counts.
 */
const MOST_GAS = 100_000n;

/** Those that took too long are asked for once more; where they contradict the state, so are the calls. */
const readMoves = async (
  client: RpcClient,
  block: TracedBlock,
  states: Told<Difference>,
  moves: Moves,
): Promise<CallsRead> => {
  const right = states.flatMap(([sent, state]): Told<Frame> => {
    const top = moves.get(sent.hash);
    return top && saysTheSame(sent, block.miner, state, paidBy(top), endedIn(top)) ? [[sent, top]] : [];
  });
  if (right.length === states.length) return readAll(right);
  const byHash = new Map(right.map(([{ hash }, top]) => [hash, top] as const));
  const fees = await feesOf(client, block);
  const ask = withinReason(({ hash }) =>
    moves.has(hash) ? callsAlone(client, hash, '500ms') : movesAlone(client, hash),
  );
  const isTooMuch = ({ hash }: Traced): boolean => moves.has(hash) && (fees.get(hash)?.gas ?? 0n) > MOST_GAS;
  return oneByOne(block, states, fees, async (sent) => {
    const told = byHash.get(sent.hash);
    return told || isTooMuch(sent) ? told : ask(sent);
  });
};

/**
 * Where a node cannot leave it out each call is written with its input, so that a cheap transaction can make calls that
 * it never tells: of such a one counts what the state says that came of it.
 */
export const readCalls = async (
  client: RpcClient,
  block: TracedBlock,
  states: Told<Difference>,
): Promise<CallsRead> => {
  const moves = await movesOf(client, block);
  if (moves) return readMoves(client, block, states, moves);
  const calls = await unless(isOfNode, tracesOf<Frame>(client, block, { ...CALLS, timeout: '1s' }));
  if (calls) return readAll(calls);
  const fees = await feesOf(client, block);
  return oneByOne(
    block,
    states,
    fees,
    withinReason(({ hash }) => callsAlone(client, hash, '2s')),
  );
};
