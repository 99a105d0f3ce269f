import { type Deposit, type DepositEvent, type DepositState, depositView, evolve, initialState } from '#deposits';
import type { EventBody } from '../../../history/event-body.ts';
import { timeTyped } from '../parts/time.tsx';
import type { Link } from './chain.ts';

export type Facts = Readonly<Record<string, unknown>>;

/** The deposit after one of its events. */
export type Step = { readonly event: EventBody; readonly deposit: Deposit | undefined };

/** Undefined: it is of no shape that the core knows, as somebody else may have written it. */
const after = (state: DepositState, { type, data }: EventBody): DepositState | undefined => {
  try {
    return evolve(state, { type, data } as unknown as DepositEvent);
  } catch {
    return undefined;
  }
};

/** By the service's own core: each state, from the first event to the last, or to the one before what it cannot take. */
export const stepsOf = (events: readonly EventBody[]): readonly Step[] => {
  const steps: Step[] = [];
  let state: DepositState = initialState;
  for (const event of events) {
    const next = after(state, event);
    if (!next) break;
    state = next;
    steps.push({ event, deposit: state.stage === 'none' ? undefined : state });
  }
  return steps;
};

/** How many of so many events stand before the first that is not as it was written, or that the core cannot take. */
export const standing = (links: readonly Link[] | undefined, steps: readonly Step[], events: number): number => {
  const broken = links?.findIndex((link) => link !== 'proven') ?? -1;
  return Math.min(broken < 0 ? events : broken, steps.length);
};

/**
 * What its partner would have read then; of the moment that is looked at alone, since a history may be long. Nothing where
 * an event is in it that says too little: the chain is about to tell which.
 */
export const factsOf = (step: Step | undefined): Facts => {
  if (!step?.deposit) return {};
  try {
    return { ...depositView(step.deposit, step.event.recorded_at) };
  } catch {
    return {};
  }
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

/** The revision of the last event that was recorded by a time; undefined before the first of them. */
export const revisionAt = (events: readonly EventBody[], at: string): number | undefined => {
  const until = timeTyped(at);
  return events.findLast(({ recorded_at }) => Date.parse(recorded_at) <= until)?.revision;
};
