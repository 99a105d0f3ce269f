import { type DepositState, decideSignal, type EngineSignal, evolve, type SignalOutcome, setAside } from '#deposits';
import type { Position } from '#event-log';
import { whileOthersAreFirst } from './decide/race.ts';
import type { Desk } from './desk.ts';
import { type LoadedDeposit, loadDeposit } from './load.ts';
import { type Busy, busy } from './outcome.ts';
import { takenByAnother } from './outputs.ts';
import { depositStream, setAsideStream } from './streams.ts';
import { newEvents } from './write.ts';

export type SignalHandled = {
  readonly signalId: string;
  readonly outcome: SignalOutcome['outcome'];
  readonly detail: string | null;
  /** Where its effect stands; null when there is none. */
  readonly position: Position | null;
};

/** `busy`: too many calls at once; neither this one nor those after it were handled. */
export type SignalResult = SignalHandled | (Busy & { readonly signalId: string });

type Handled = { readonly outcome: 'handled'; readonly result: SignalHandled; readonly loaded: LoadedDeposit };

type Handling = { readonly desk: Desk; readonly depositId: number; readonly actor: string };

/** A payment may make an instant deposit late, or find it late: what was received is valued at the rate of now. */
const withRate = async (desk: Desk, state: DepositState, signal: EngineSignal): Promise<EngineSignal> =>
  'txid' in signal && state.stage === 'issued' && state.terms.instant
    ? { ...signal, currentRate: await desk.currentRate(state.terms.currency) }
    : signal;

const handleOnce = async (
  { desk, depositId, actor }: Handling,
  loaded: LoadedDeposit,
  signal: EngineSignal,
): Promise<Handled> => {
  const { signalId } = signal;
  const { state: before } = loaded;
  const decided = decideSignal(before, await withRate(desk, before, signal));
  const other =
    decided.outcome === 'applied' && before.stage === 'issued'
      ? await takenByAnother(desk, before, decided.events, { at: signal.at, actor })
      : undefined;
  const reason = `this output was given to deposit ${other}`;
  const outcome = other === undefined ? decided : setAside(signal, { outcome: 'rejected', reason });
  if (outcome.outcome === 'duplicate')
    return { outcome: 'handled', loaded, result: { signalId, outcome: 'duplicate', detail: null, position: null } };
  if (outcome.outcome !== 'applied') {
    // Kept for operators and auditors beside the history: it changed nothing, and must not count as the last change.
    await desk.log.append(setAsideStream(depositId), 'any', newEvents([outcome.setAside], actor));
    return {
      outcome: 'handled',
      loaded,
      result: { signalId, outcome: outcome.outcome, detail: outcome.reason, position: null },
    };
  }
  const { revision, position } = await desk.log.append(
    depositStream(depositId),
    loaded.revision,
    newEvents(outcome.events, actor),
  );
  const state = outcome.events.reduce(evolve, loaded.state);
  return {
    outcome: 'handled',
    loaded: { ...loaded, state, revision },
    result: { signalId, outcome: 'applied', detail: null, position },
  };
};

/** Signals of one deposit, in their order: the one way in which anything of the engine reaches a deposit. */
export type ApplySignals = (
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
) => Promise<readonly SignalResult[]>;

/** Each with an append of its own. */
export const applySignals = async (
  desk: Desk,
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
): Promise<readonly SignalResult[]> => {
  const handling: Handling = { desk, depositId, actor };
  const results: SignalResult[] = [];
  let loaded = await loadDeposit(desk.log, depositId);
  for (const signal of signals) {
    const handled = await whileOthersAreFirst(async (tryNumber) =>
      handleOnce(handling, tryNumber === 1 ? loaded : await loadDeposit(desk.log, depositId), signal),
    );
    if (handled.outcome === 'busy') break;
    loaded = handled.loaded;
    results.push(handled.result);
  }
  const left = signals.slice(results.length);
  return [...results, ...left.map(({ signalId }) => ({ signalId, ...busy }))];
};
