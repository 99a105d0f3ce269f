import { setImmediate as turn } from 'node:timers/promises';
import type { EngineSignal, SignalOutcome, SignalSetAside } from '#deposits';
import { AppendTooLarge, type EventLog } from '#event-log';
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
  /** On the monotonic clock: whoever has slept beyond it is no longer the one who handles these signals. */
  readonly until?: number | undefined;
  readonly load: () => Promise<Loaded<State>>;
  /** `revision` is what the append of what it comes to will expect. */
  readonly decide: (state: State, signal: EngineSignal, revision: number | 'no_stream') => Promise<Decided<Event>>;
  readonly evolve: (state: State, event: Event) => State;
};

type Handled<State> = {
  readonly outcome: 'handled';
  readonly results: readonly SignalHandled[];
  readonly loaded: Loaded<State>;
};

/** What applies, as far as it goes without a break: one append, so that all of it happened or none. */
type Run<State, Event> = {
  readonly results: readonly SignalHandled[];
  readonly events: readonly Event[];
  readonly state: State;
  /** What ended it: it changes nothing, and is kept. */
  readonly aside: (SignalHandled & { readonly setAside: SignalSetAside }) | undefined;
};

/** Of a deposit with a thousand payments one takes milliseconds: others of the process have their turn in between. */
const IN_ONE_TURN = 25;

const runOf = async <State, Event extends Written>(
  { decide, evolve }: SignalSubject<State, Event>,
  { state: before, revision }: Loaded<State>,
  signals: readonly EngineSignal[],
): Promise<Run<State, Event>> => {
  const results: SignalHandled[] = [];
  const events: Event[] = [];
  let state = before;
  for (const [nth, signal] of signals.entries()) {
    const { signalId } = signal;
    if (nth % IN_ONE_TURN === IN_ONE_TURN - 1) await turn();
    const decided = await decide(state, signal, revision);
    if (decided.outcome === 'applied') {
      events.push(...decided.events);
      state = decided.events.reduce(evolve, state);
    } else if (decided.outcome !== 'duplicate') {
      const { outcome, reason, setAside } = decided;
      return { results, events, state, aside: { signalId, outcome, detail: reason, setAside } };
    }
    results.push({ signalId, outcome: decided.outcome, detail: null });
  }
  return { results, events, state, aside: undefined };
};

/** Several that are too large together; the same would be so however often they come again. */
const isDivisible = (error: unknown, events: readonly unknown[]): boolean =>
  error instanceof AppendTooLarge && events.length > 1;

const isOver = ({ until }: { readonly until?: number | undefined }): boolean =>
  until !== undefined && performance.now() > until;

/**
 * As many of the signals as one append takes. One that changes nothing is kept for operators and auditors beside the
 * history: there it must not count as the last change. It stands there before anything that comes after it is written,
 * and what comes before it is written first: whoever handles them again after a crash comes to the same. Beside nothing
 * nothing is kept: a history that went with its log may begin again, and is then told them once more.
 */
const handleSome = async <State, Event extends Written>(
  subject: SignalSubject<State, Event>,
  loaded: Loaded<State>,
  signals: readonly EngineSignal[],
): Promise<Handled<State> | Busy> => {
  const { log, stream, setAsideStream, actor } = subject;
  // Behind the load: what others did since it is a conflict.
  if (isOver(subject)) return busy;
  const { results, events, state, aside } = await runOf(subject, loaded, signals);
  if (events.length > 0) {
    const append = log.append(stream, loaded.revision, newEvents(events, actor));
    const appended = await append.catch((error) => (isDivisible(error, events) ? undefined : Promise.reject(error)));
    if (!appended) return handleSome(subject, loaded, signals.slice(0, Math.ceil(signals.length / 2)));
    return { outcome: 'handled', results, loaded: { state, revision: appended.revision } };
  }
  if (!aside) return { outcome: 'handled', results, loaded };
  if (isOver(subject)) return busy;
  const { setAside, ...result } = aside;
  if (loaded.revision !== 'no_stream') await log.append(setAsideStream, 'any', newEvents([setAside], actor));
  return { outcome: 'handled', results: [...results, result], loaded };
};

/** Half as many each time that somebody else was first: who takes long to decide on many would never be. */
const fewerWith = (tryNumber: number, signals: readonly EngineSignal[]): readonly EngineSignal[] =>
  signals.slice(0, Math.ceil(signals.length / 2 ** (tryNumber - 1)));

/** What applies goes together, in its order. */
export const signalsInOrder = async <State, Event extends Written>(
  subject: SignalSubject<State, Event>,
  signals: readonly EngineSignal[],
): Promise<readonly SignalResult[]> => {
  const results: SignalResult[] = [];
  let loaded = await subject.load();
  let left = signals;
  while (left.length > 0) {
    const some = left;
    const handled = await whileOthersAreFirst(async (tryNumber) =>
      handleSome(subject, tryNumber === 1 ? loaded : await subject.load(), fewerWith(tryNumber, some)),
    );
    if (handled.outcome === 'busy') break;
    loaded = handled.loaded;
    results.push(...handled.results);
    left = signals.slice(results.length);
  }
  return [...results, ...left.map(({ signalId }) => ({ signalId, ...busy }))];
};
