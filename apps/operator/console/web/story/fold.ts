import { type Deposit, type DepositEvent, type DepositState, depositView, evolve, initialState } from '#deposits';
import type { EventBody } from '../../../history/event-body.ts';
import { timeTyped } from '../parts/time.tsx';

export type Facts = Readonly<Record<string, unknown>>;

/** The deposit after one of its events. */
export type Step = { readonly event: EventBody; readonly deposit: Deposit | undefined };

/** By the service's own core: each state, from the first event to the last. */
export const stepsOf = (events: readonly EventBody[]): readonly Step[] => {
  let state: DepositState = initialState;
  return events.map((event) => {
    state = evolve(state, { type: event.type, data: event.data } as unknown as DepositEvent);
    return { event, deposit: state.stage === 'none' ? undefined : state };
  });
};

/** What its partner would have read then; of the moment that is looked at alone, since a history may be long. */
export const factsOf = (step: Step | undefined): Facts =>
  step?.deposit ? { ...depositView(step.deposit, step.event.recorded_at) } : {};

export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The names of what stands otherwise. */
export const changedBetween = (before: Facts, after: Facts): ReadonlySet<string> =>
  new Set(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => textOf(before[name]) !== textOf(after[name]),
    ),
  );

/** The revision of the last event that was recorded by a time; undefined before the first of them. */
export const revisionAt = (events: readonly EventBody[], at: string): number | undefined => {
  const until = timeTyped(at);
  return events.findLast(({ recorded_at }) => Date.parse(recorded_at) <= until)?.revision;
};
