import type { QuoteIssued } from '../floor/events.ts';
import type { Instant } from '../floor/time.ts';
import type { PaymentStatus } from '../floor/words.ts';
import type { FastLaneEvent } from './events.ts';
import { type Held, type Hold, heldIn, releasesOf } from './hold.ts';
import type { FastLane, LaneDeposit, Occupant } from './lane.ts';

export type EnterFastLane = {
  readonly now: Instant;
  readonly opening: QuoteIssued;
  /** Every deposit that stands in the lane. */
  readonly deposits: readonly LaneDeposit[];
};

export type FastDepositUnconfirmed = {
  readonly refusal: 'fast_deposit_unconfirmed';
  readonly blockingDepositId: number;
  readonly blockingStatus: PaymentStatus;
  readonly kind: 'instant' | 'no-conf';
  readonly paid: boolean;
};

export type EnterOutcome =
  | { readonly outcome: 'applied'; readonly events: readonly FastLaneEvent[] }
  | { readonly outcome: 'refused'; readonly refusal: FastDepositUnconfirmed }
  /** The entry's deposit never came to be: write its opening to its own stream (which must be new), and look again. */
  | { readonly outcome: 'complete_first'; readonly occupant: Occupant }
  /** Its time is up: tell it so in its own stream, where a payment may be about to be written, and look again. */
  | { readonly outcome: 'expire_first'; readonly depositId: number; readonly expiresAt: Instant }
  /** A payment may be about to be written that had it in flight: look again. */
  | { readonly outcome: 'wait' };

const refusedBy = ({ deposit, paid }: Extract<Hold, { is: 'in_flight' }>): EnterOutcome => ({
  outcome: 'refused',
  refusal: {
    refusal: 'fast_deposit_unconfirmed',
    blockingDepositId: deposit.terms.depositId,
    blockingStatus: deposit.standing.status,
    kind: deposit.terms.instant ? 'instant' : 'no-conf',
    paid,
  },
});

/** An unexpired entry is never released: whoever entered may be about to write the deposit, and there would be two. */
const mustComeFirst = ({ occupant }: FastLane, { depositId, hold }: Held): EnterOutcome | undefined => {
  switch (hold.is) {
    case 'absent':
      return occupant ? { outcome: 'complete_first', occupant } : undefined;
    case 'coming_back':
      return { outcome: 'wait' };
    case 'overdue':
      return { outcome: 'expire_first', depositId, expiresAt: hold.expiresAt };
    default:
      return undefined;
  }
};

/** One fast deposit in flight per casino and player. Appended with the lane's expected revision, before the deposit. */
export const decideEnter = (lane: FastLane, { now, opening, deposits }: EnterFastLane): EnterOutcome => {
  const { depositId } = opening.data.terms;
  if (lane.occupant?.depositId === depositId) return { outcome: 'applied', events: [] };
  const held = heldIn(lane, deposits, now);
  for (const { hold } of held) if (hold.is === 'in_flight') return refusedBy(hold);
  for (const each of held) {
    const before = mustComeFirst(lane, each);
    if (before) return before;
  }
  return {
    outcome: 'applied',
    events: [...releasesOf(held, now), { type: 'FastLaneEntered', data: { at: now, depositId, opening } }],
  };
};
