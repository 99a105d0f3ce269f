import { isOfNode, unless } from '../readable.ts';
import type { Withdrawal } from './beside.ts';
import type { Fee, Fees } from './fees.ts';
import { type Frame, INTERNAL, type Paid, paidBy } from './frames.ts';
import { accountIn } from './shapes.ts';
import { balances, type Difference, type Moving, paidByState } from './state.ts';
import type { Witnessed } from './witness.ts';

export type Traced = Moving & { readonly nonce: string };
export type TracedBlock = {
  readonly hash: string;
  readonly parentHash: string;
  readonly miner: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly Traced[];
  readonly withdrawals?: readonly Withdrawal[] | null;
};

export type Told<T> = readonly (readonly [Traced, T])[];

export type Read = { readonly sent: Traced; readonly paid: Paid; readonly isByState: boolean };

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
export const withinReason = (ask: CallsOf): CallsOf => {
  const until = performance.now() + WITHIN_MS;
  let unread = 0;
  return async (sent) => {
    if (unread >= MOST_FAILED || performance.now() > until) return undefined;
    const top = await unless(isOfNode, ask(sent));
    if (!top) unread += 1;
    return top;
  };
};

/** Undefined unless nothing moved but what was sent, as a state shows it that leaves nobody out. */
const plainIn = (paid: Paid, miner: string, state: Difference, fee: Fee | undefined): Paid | undefined =>
  movesInside(paid) || (fee && !balances(miner, state, fee)) ? undefined : paid;

export const oneByOne = async (
  { miner }: TracedBlock,
  { states, open }: Witnessed<Traced>,
  fees: Fees,
  callsOf: CallsOf,
): Promise<readonly Read[]> => {
  const readOf = async (sent: Traced, state: Difference): Promise<Omit<Read, 'sent'>> => {
    const fee = fees.get(sent.hash);
    // What failed moved nothing, and needs no trace.
    if (fee?.hasFailed) return { paid: { ...NOTHING, senders: [accountIn(sent.from)] }, isByState: false };
    const byState = paidByState(sent, miner, state, fee);
    const isOpen = open.has(sent.hash);
    const plain = isOpen ? undefined : plainIn(byState, miner, state, fee);
    if (plain) return { paid: plain, isByState: false };
    const top = await callsOf(sent);
    if (top) return { paid: paidBy(top), isByState: false };
    return { paid: byState, isByState: true };
  };
  const read: Read[] = [];
  for (const [sent, state] of states) read.push({ sent, ...(await readOf(sent, state)) });
  return read;
};

export const readAll = (calls: Told<Frame>): readonly Read[] =>
  calls.map(([sent, top]) => ({ sent, paid: paidBy(top), isByState: false }));
