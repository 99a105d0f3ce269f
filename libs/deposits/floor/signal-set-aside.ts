import type { Payment } from './payment.ts';
import type { Instant } from './time.ts';
import type { SignalType } from './words.ts';

/** What found no place, as it would have come in: once it is confirmed it is taken in after all. */
export type Unplaced = { readonly payment: Payment; readonly fundingAddresses: readonly string[] };

/** Money came, and nothing in here says so. */
export type SetAsideAlert = 'payment_without_place';

/**
 * A signal that was ignored or rejected: it changed nothing of the deposit and is no part of its history. It is kept
 * in a stream beside it, so that operators and auditors see it and its id is known when it comes again.
 */
export type SignalSetAside = {
  readonly type: 'SignalSetAside';
  readonly data: {
    readonly signalId: string;
    readonly signalType: SignalType;
    readonly at: Instant;
    readonly outcome: 'ignored' | 'rejected';
    readonly reason: string;
    /** Where operators have to be told of it; absent in what was written before they were, and nearly everywhere. */
    readonly alerts?: readonly SetAsideAlert[];
    /** Of what is more than dust. */
    readonly unplaced?: Unplaced;
  };
};

/** The signal that found no place, as it is kept. */
export type KeptPayment = { readonly signalId: string; readonly unplaced: Unplaced };

export const signalSetAsideVersions = { SignalSetAside: 1 } as const satisfies Record<SignalSetAside['type'], number>;
