import {
  type DepositEvent,
  type DepositState,
  decideSignal,
  type EngineSignal,
  evolve,
  type SignalOutcome,
  setAside,
} from '#deposits';
import type { Desk } from './desk.ts';
import { loadDeposit } from './load.ts';
import { takenByAnother } from './outputs.ts';
import { type SignalResult, signalsInOrder } from './signals-in-order.ts';
import { depositStream, setAsideStream } from './streams.ts';

/** A payment may make an instant deposit late, or find it late: what was received is valued at the rate of now. */
const withRate = async (desk: Desk, state: DepositState, signal: EngineSignal): Promise<EngineSignal> =>
  'txid' in signal && state.stage === 'issued' && state.terms.instant
    ? { ...signal, currentRate: await desk.currentRate(state.terms.currency) }
    : signal;

const decide = async (desk: Desk, state: DepositState, signal: EngineSignal, actor: string): Promise<SignalOutcome> => {
  const decided = decideSignal(state, await withRate(desk, state, signal));
  const other =
    decided.outcome === 'applied' && state.stage === 'issued'
      ? await takenByAnother(desk, state, decided.events, { at: signal.at, actor })
      : undefined;
  const reason = `this output was given to deposit ${other}`;
  return other === undefined ? decided : setAside(signal, { outcome: 'rejected', reason });
};

/** Signals of one deposit, in their order: the one way in which anything of the engine reaches a deposit. */
export type ApplySignals = (
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
) => Promise<readonly SignalResult[]>;

export const applySignals = (
  desk: Desk,
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
): Promise<readonly SignalResult[]> =>
  signalsInOrder<DepositState, DepositEvent>(
    {
      ...{ log: desk.log, stream: depositStream(depositId), setAsideStream: setAsideStream(depositId), actor, evolve },
      load: () => loadDeposit(desk.log, depositId),
      decide: (state, signal) => decide(desk, state, signal, actor),
    },
    signals,
  );
