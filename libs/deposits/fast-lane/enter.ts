import type { QuoteIssued } from '../floor/events.ts';
import type { Deposit, DepositState } from '../floor/state.ts';
import { type Instant, isAfter } from '../floor/time.ts';
import type { PaymentStatus } from '../floor/words.ts';
import { isConfirmedStatus } from '../standing/status.ts';
import type { FastLaneEvent, FastLaneReleased } from './events.ts';

export type Occupant = { readonly depositId: number; readonly opening: QuoteIssued };

export type FastLane = { readonly occupant: Occupant | null };

export const emptyLane: FastLane = { occupant: null };

export const evolveLane = (lane: FastLane, event: FastLaneEvent): FastLane => {
  switch (event.type) {
    case 'FastLaneEntered':
      return { occupant: { depositId: event.data.depositId, opening: event.data.opening } };
    case 'FastLaneReleased':
      return lane.occupant?.depositId === event.data.depositId ? emptyLane : lane;
  }
};

type Hold =
  | { readonly blocks: true; readonly status: PaymentStatus; readonly paid: boolean }
  | { readonly blocks: false; readonly because: 'confirmed' | 'expired' };

/** Unpaid and unexpired, or paid and not yet confirmed: the lane is taken. */
const holdOf = ({ standing: { status }, terms }: Deposit, now: Instant): Hold => {
  if (isConfirmedStatus(status) || status === 'Refund') return { blocks: false, because: 'confirmed' };
  if (status === 'Timedout') return { blocks: false, because: 'expired' };
  if (status !== 'Pending') return { blocks: true, status, paid: true };
  return isAfter(now, terms.expiresAt) ? { blocks: false, because: 'expired' } : { blocks: true, status, paid: false };
};

export type EnterFastLane = {
  readonly now: Instant;
  readonly opening: QuoteIssued;
  /** The deposit that stands in the lane, as its own stream tells it. */
  readonly occupant: DepositState;
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
  | { readonly outcome: 'complete_first'; readonly occupant: Occupant };

const enter = ({ now, opening }: EnterFastLane, ...first: readonly FastLaneReleased[]): EnterOutcome => ({
  outcome: 'applied',
  events: [...first, { type: 'FastLaneEntered', data: { at: now, depositId: opening.data.terms.depositId, opening } }],
});

const release = (occupant: Occupant, at: Instant, because: FastLaneReleased['data']['because']): FastLaneReleased => ({
  type: 'FastLaneReleased',
  data: { at, depositId: occupant.depositId, because },
});

/**
 * An expired entry blocks nothing, even if its deposit is still being written. An unexpired one is never released:
 * whoever entered may be about to write the deposit, and there would be two.
 */
const enterAfterAbsent = (occupant: Occupant, command: EnterFastLane): EnterOutcome =>
  isAfter(command.now, occupant.opening.data.terms.expiresAt)
    ? enter(command, release(occupant, command.now, 'never_came_to_be'))
    : { outcome: 'complete_first', occupant };

/** One fast deposit in flight per casino and player. Appended with the lane's expected revision, before the deposit. */
export const decideEnter = ({ occupant }: FastLane, command: EnterFastLane): EnterOutcome => {
  if (occupant === null) return enter(command);
  if (occupant.depositId === command.opening.data.terms.depositId) return { outcome: 'applied', events: [] };
  const deposit = command.occupant;
  if (deposit.stage === 'none') return enterAfterAbsent(occupant, command);
  if (deposit.terms.depositId !== occupant.depositId)
    throw new TypeError(
      `the lane holds deposit ${occupant.depositId}, not ${deposit.terms.depositId}: look at that one`,
    );
  const hold = holdOf(deposit, command.now);
  if (!hold.blocks) return enter(command, release(occupant, command.now, hold.because));
  return {
    outcome: 'refused',
    refusal: {
      refusal: 'fast_deposit_unconfirmed',
      blockingDepositId: occupant.depositId,
      blockingStatus: hold.status,
      kind: deposit.terms.instant ? 'instant' : 'no-conf',
      paid: hold.paid,
    },
  };
};
