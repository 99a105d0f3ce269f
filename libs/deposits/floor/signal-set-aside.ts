import type { Instant } from './time.ts';
import type { SignalType } from './words.ts';

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
  };
};

export const signalSetAsideVersions = { SignalSetAside: 1 } as const satisfies Record<SignalSetAside['type'], number>;
