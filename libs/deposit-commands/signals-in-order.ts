import type { EngineSignal, SignalOutcome, SignalSetAside } from '#deposits';
import type { EventLog } from '#event-log';
import { whileOthersAreFirst } from './decide/race.ts';
import type { Written } from './known-events.ts';
import { type Busy, busy } from './outcome.ts';
import { newEvents } from './write.ts';

export type SignalHandled = {
  readonly signalId: string;
  readonly outcome: SignalOutcome['outcome'];
  readonly detail: string | null;
};

/** `busy`: too many calls at once; neither this one nor those after it were handled. */
export type SignalResult = SignalHandled | (Busy & { readonly signalId: string });

type Loaded<State> = { readonly state: State; readonly revision: number | 'no_stream' };

type Decided<Event> =
  | { readonly outcome: 'applied'; readonly events: readonly Event[] }
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'ignored' | 'rejected'; readonly reason: string; readonly setAside: SignalSetAside };

/** What signals are about: one stream, how it is read, and who decides on it. */
export type SignalSubject<State, Event extends Written> = {
  readonly log: Pick<EventLog, 'append'>;
  readonly stream: string;
  readonly setAsideStream: string;
  readonly actor: string;
  readonly load: () => Promise<Loaded<State>>;
  readonly decide: (state: State, signal: EngineSignal) => Promise<Decided<Event>>;
  readonly evolve: (state: State, event: Event) => State;
};

type Handled<State> = {
  readonly outcome: 'handled';
  readonly result: SignalHandled;
  readonly loaded: Loaded<State>;
};

const handleOnce = async <State, Event extends Written>(
  { log, stream, setAsideStream, actor, decide, evolve }: SignalSubject<State, Event>,
  loaded: Loaded<State>,
  signal: EngineSignal,
): Promise<Handled<State>> => {
  const { signalId } = signal;
  const outcome = await decide(loaded.state, signal);
  if (outcome.outcome === 'duplicate')
    return { outcome: 'handled', loaded, result: { signalId, outcome: 'duplicate', detail: null } };
  if (outcome.outcome !== 'applied') {
    // Kept for operators and auditors beside the history: it changed nothing, and must not count as the last change.
    await log.append(setAsideStream, 'any', newEvents([outcome.setAside], actor));
    return {
      outcome: 'handled',
      loaded,
      result: { signalId, outcome: outcome.outcome, detail: outcome.reason },
    };
  }
  const { revision } = await log.append(stream, loaded.revision, newEvents(outcome.events, actor));
  return {
    outcome: 'handled',
    loaded: { state: outcome.events.reduce(evolve, loaded.state), revision },
    result: { signalId, outcome: 'applied', detail: null },
  };
};

/** Each with an append of its own. */
export const signalsInOrder = async <State, Event extends Written>(
  subject: SignalSubject<State, Event>,
  signals: readonly EngineSignal[],
): Promise<readonly SignalResult[]> => {
  const results: SignalResult[] = [];
  let loaded = await subject.load();
  for (const signal of signals) {
    const handled = await whileOthersAreFirst(async (tryNumber) =>
      handleOnce(subject, tryNumber === 1 ? loaded : await subject.load(), signal),
    );
    if (handled.outcome === 'busy') break;
    loaded = handled.loaded;
    results.push(handled.result);
  }
  const left = signals.slice(results.length);
  return [...results, ...left.map(({ signalId }) => ({ signalId, ...busy }))];
};
