import {
  type Deposit,
  type DepositEvent,
  type DepositState,
  decideSignal,
  type EngineSignal,
  evolve,
  type Instant,
  type SignalOutcome,
  setAside,
} from '#deposits';
import type { Desk } from './desk.ts';
import { type FindKept, keptPayments } from './kept-payments.ts';
import { comesBehindAnother } from './lane.ts';
import { loadDeposit } from './load.ts';
import { givenTo, newPayment, takenByAnother } from './outputs.ts';
import { type SignalResult, signalsInOrder } from './signals-in-order.ts';
import { depositStream, setAsideStream } from './streams.ts';

/** A payment may make an instant deposit late, or find it late: what was received is valued at the rate of now. */
const withRate = async (desk: Desk, state: DepositState, signal: EngineSignal): Promise<EngineSignal> =>
  'txid' in signal && state.stage === 'issued' && state.terms.instant
    ? { ...signal, currentRate: await desk.currentRate(state.terms.currency) }
    : signal;

/** Who has the output of a payment, where that is another. */
const ownerOfOutput = async (
  { log }: Desk,
  { terms: { currency, depositId }, payments }: Deposit,
  events: readonly DepositEvent[],
  { at, actor }: { readonly at: Instant; readonly actor: string },
): Promise<string | undefined> => {
  // A transaction of Ethereum may pay several addresses, and has no outputs that would tell them apart.
  const payment = currency === 'ETH' ? undefined : newPayment(payments, events);
  if (!payment) return undefined;
  const { txid, vout } = payment;
  return takenByAnother(log, { type: 'OutputTaken', data: { at, currency, txid, vout, depositId } }, actor);
};

/** What a signal meets: the deposit as it is with those before it, and what its stream's last event was. */
type Met = { readonly state: DepositState; readonly revision: number | 'no_stream' };

const decide = async (
  desk: Desk,
  met: Met & { readonly findKept: FindKept },
  signal: EngineSignal,
  actor: string,
): Promise<SignalOutcome> => {
  const { state: deposit, revision } = met;
  const valued = await withRate(desk, deposit, signal);
  const kept = deposit.stage === 'none' ? undefined : await met.findKept(deposit.payments, signal);
  const decided = decideSignal(deposit, valued, kept);
  if (decided.outcome !== 'applied' || deposit.stage === 'none' || revision === 'no_stream') return decided;
  const owner = await ownerOfOutput(desk, deposit, decided.events, { at: signal.at, actor });
  if (owner !== undefined) return setAside(signal, { outcome: 'rejected', reason: givenTo(owner) });
  const behindAnother = await comesBehindAnother(desk, { deposit, revision, signal }, decided.events, actor);
  return behindAnother ? decideSignal(deposit, { ...valued, ...{ behindAnother } }, kept) : decided;
};

/**
 * Signals of one deposit, in their order: the one way in which anything of the engine reaches a deposit. Who claimed
 * them says until when, on the monotonic clock.
 */
export type ApplySignals = (
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
  until?: number,
) => Promise<readonly SignalResult[]>;

export const applySignals = (
  desk: Desk,
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
  until?: number,
): Promise<readonly SignalResult[]> => {
  const findKept = keptPayments(desk.log, setAsideStream(depositId));
  return signalsInOrder<DepositState, DepositEvent>(
    {
      until,
      ...{ log: desk.log, stream: depositStream(depositId), setAsideStream: setAsideStream(depositId), actor, evolve },
      load: () => loadDeposit(desk.log, depositId),
      decide: (state, signal, revision) => decide(desk, { state, revision, findKept }, signal, actor),
    },
    signals,
  );
};
