import type { DepositEvent, FactEvent } from './events.ts';
import type { SetAsideAlert, SignalSetAside, Unplaced } from './signal-set-aside.ts';

export type Applied = { readonly outcome: 'applied'; readonly events: readonly DepositEvent[] };
export type Refused<Refusal> = { readonly outcome: 'refused'; readonly refusal: Refusal };

/** What a partner's or an operator's command comes to. A refusal leaves no event. */
export type CommandOutcome<Refusal> = Applied | Refused<Refusal>;

/** What a signal comes to before its id is looked at. */
export type Verdict = { readonly outcome: 'applied'; readonly event: FactEvent } | ChangesNothing;

export type ChangesNothing = {
  readonly outcome: 'ignored' | 'rejected';
  readonly reason: string;
  readonly alerts?: readonly SetAsideAlert[];
  readonly unplaced?: Unplaced;
};

/** Ignored and rejected signals change nothing; `setAside` is what has to be kept of them. */
export type SignalOutcome =
  | Applied
  | { readonly outcome: 'duplicate' }
  | (ChangesNothing & { readonly setAside: SignalSetAside });

/** What whoever sent a signal is told of it. */
export const signalOutcomes = [
  'applied',
  'duplicate',
  'ignored',
  'rejected',
] as const satisfies readonly SignalOutcome['outcome'][];

export const applied = (...events: readonly DepositEvent[]): Applied => ({ outcome: 'applied', events });
export const refused = <const Refusal>(refusal: Refusal): Refused<Refusal> => ({ outcome: 'refused', refusal });
export const applies = (event: FactEvent): Verdict => ({ outcome: 'applied', event });
export const ignored = (reason: string): ChangesNothing => ({ outcome: 'ignored', reason });
export const rejected = (reason: string): ChangesNothing => ({ outcome: 'rejected', reason });
