import { type Deposit, type DepositEvent, type DepositState, depositView, evolve, initialState } from '#deposits';
import type { EventBody } from '../../../history/event-body.ts';

export type Facts = Readonly<Record<string, unknown>>;

/** The deposit after one of its events: what is kept of it, and what its partner would have read. */
export type Step = { readonly event: EventBody; readonly deposit: Deposit | undefined; readonly facts: Facts };

/** By the service's own core: each state, from the first event to the last. */
export const stepsOf = (events: readonly EventBody[]): readonly Step[] => {
  let state: DepositState = initialState;
  return events.map((event) => {
    state = evolve(state, { type: event.type, data: event.data } as unknown as DepositEvent);
    if (state.stage === 'none') return { event, deposit: undefined, facts: {} };
    return { event, deposit: state, facts: { ...depositView(state, event.recorded_at) } };
  });
};

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

/** The last step that was recorded by a time; -1 before the first. */
export const stepAt = (steps: readonly Step[], at: string): number => {
  const until = Date.parse(at);
  return steps.findLastIndex(({ event }) => Date.parse(event.recorded_at) <= until);
};
