import type { QuoteIssued } from '../floor/events.ts';
import type { Instant } from '../floor/time.ts';

/** The lane of one player at one casino is a stream of its own: its expected revision lets one deposit in. */
export type FastLaneEntered = {
  readonly type: 'FastLaneEntered';
  /** The whole opening event rides along: a deposit that never came to be can be completed from here. */
  readonly data: { readonly at: Instant; readonly depositId: number; readonly opening: QuoteIssued };
};

/**
 * A deposit that may have left the lane is about to be paid and unconfirmed again. `depositRevision` is the last event
 * that its own stream had then: while that is the last one, whoever wrote this may be about to write the payment.
 */
export type FastLaneReentered = {
  readonly type: 'FastLaneReentered';
  readonly data: {
    readonly at: Instant;
    readonly depositId: number;
    readonly depositRevision: number;
    /** The deposit that was in flight then: this one waits for its confirmation. */
    readonly behind: number | null;
  };
};

export type FastLaneReleased = {
  readonly type: 'FastLaneReleased';
  readonly data: {
    readonly at: Instant;
    readonly depositId: number;
    readonly because: 'confirmed' | 'expired' | 'never_came_to_be';
  };
};

export type FastLaneEvent = FastLaneEntered | FastLaneReentered | FastLaneReleased;

/** An entry holds a whole `QuoteIssued`: a new shape of that is a new shape of this. */
export const fastLaneEventVersions = {
  FastLaneEntered: 1,
  FastLaneReentered: 1,
  FastLaneReleased: 1,
} as const satisfies Record<FastLaneEvent['type'], number>;
