import { isOfNode, unless } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';
import { type Fees, feesOf } from './fees.ts';
import { endedIn, type Frame, paidBy } from './frames.ts';
import { movesAlone, movesOf } from './moves.ts';
import { throwTold } from './past-state.ts';
import { oneByOne, type Read, readAll, type Told, type Traced, type TracedBlock, withinReason } from './reads.ts';
import { beyondState, type Difference } from './state.ts';
import { type Beyond, type Witnessed, witnessed } from './witness.ts';

export const TRACES = 'debug_traceBlockByHash';
const CALLS = { tracer: 'callTracer' };

type Trace<T> = { readonly txHash?: string; readonly result?: T; readonly error?: string };

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

/** `fees` undefined: nobody had to ask for them. The states are put right where balances show that they are not. */
export type CallsRead = Witnessed<Traced> & { readonly read: readonly Read[]; readonly fees?: Fees };

const callsAlone = ({ call }: RpcClient, hash: string, timeout: string): Promise<Frame> =>
  call<Frame>('debug_traceTransaction', hash, { ...CALLS, timeout });

/** What is not by the state is by what moved, and that may be more than the state shows. */
const settled = async (
  client: RpcClient,
  block: TracedBlock,
  states: Told<Difference>,
  read: readonly Read[],
): Promise<CallsRead> => {
  const told = new Map(read.flatMap(({ sent, paid, isByState }) => (isByState ? [] : [[sent.hash, paid] as const])));
  const beyond = states.flatMap(([sent, state]) => {
    const paid = told.get(sent.hash);
    return paid ? [[sent.hash, beyondState(sent, block.miner, state, paid)] as const] : [];
  });
  return { read, ...(await witnessed(client, block, states, new Map(beyond))) };
};

/**
 * Of what was read by the state, what was known before; of all else balances are held against what the node told, since
 * by its calls more may be in question.
 */
const settledAnew = async (
  client: RpcClient,
  block: TracedBlock,
  { told, known, read }: { told: Told<Difference>; known: Witnessed<Traced>; read: readonly Read[] },
): Promise<CallsRead> => {
  const byState = new Set(read.flatMap(({ sent, isByState }) => (isByState ? [sent.hash] : [])));
  const right = new Map(known.states.map(([sent, state]) => [sent.hash, state] as const));
  const states = told.map(
    ([sent, state]) => [sent, byState.has(sent.hash) ? (right.get(sent.hash) ?? state) : state] as const,
  );
  const anew = await settled(client, block, states, read);
  return { ...anew, open: new Map([...[...known.open].filter(([hash]) => byState.has(hash)), ...anew.open]) };
};

type Moves = NonNullable<Awaited<ReturnType<typeof movesOf>>>;

/**
 * Each 1,000 gas may make a node keep some MB of what calls carry, and where its own tracer tells no SELFDESTRUCT whoever
 * ends a contract contradicts the state: of what used more than this nobody asks for the calls, and the state counts. Where
 * no balance bears one of them out they are asked for of all: it is a node whose states are not whole.
 */
const MOST_GAS = 100_000n;

const beyondOf = ({ miner }: TracedBlock, states: Told<Difference>, moves: Moves): Beyond =>
  new Map(
    states.flatMap(([sent, state]) => {
      const top = moves.get(sent.hash);
      return top ? [[sent.hash, beyondState(sent, miner, state, paidBy(top), endedIn(top))] as const] : [];
    }),
  );

/** Those that took too long are asked for once more; where they contradict the state, and balances do too, so are the calls. */
const readMoves = async (
  client: RpcClient,
  block: TracedBlock,
  told: Told<Difference>,
  moves: Moves,
): Promise<CallsRead> => {
  const known = await witnessed(client, block, told, beyondOf(block, told, moves));
  const { states } = known;
  const beyond = beyondOf(block, states, moves);
  const right = states.flatMap(([sent]): Told<Frame> => {
    const top = moves.get(sent.hash);
    return top && beyond.get(sent.hash)?.size === 0 ? [[sent, top]] : [];
  });
  if (right.length === states.length) return { read: readAll(right), ...known };
  const byHash = new Map(right.map(([{ hash }, top]) => [hash, top] as const));
  const fees = await feesOf(client, block);
  const ask = withinReason(({ hash }) =>
    moves.has(hash) ? callsAlone(client, hash, '500ms') : movesAlone(client, hash),
  );
  const isTooMuch = ({ hash }: Traced): boolean =>
    known.open.size === 0 && moves.has(hash) && (fees.get(hash)?.gas ?? 0n) > MOST_GAS;
  const read = await oneByOne(block, known, fees, async (sent) => {
    const top = byHash.get(sent.hash);
    return top || isTooMuch(sent) ? top : ask(sent);
  });
  return { ...(await settledAnew(client, block, { told, known, read })), fees };
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
  if (calls) return settled(client, block, states, readAll(calls));
  const fees = await feesOf(client, block);
  const ask = withinReason(({ hash }) => callsAlone(client, hash, '2s'));
  const read = await oneByOne(block, { states, open: new Map() }, fees, ask);
  return { ...(await settled(client, block, states, read)), fees };
};
