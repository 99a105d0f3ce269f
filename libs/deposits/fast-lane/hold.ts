import type { Deposit } from '../floor/state.ts';
import { type Instant, isAfter } from '../floor/time.ts';
import { isPaidUnconfirmed } from '../standing/status.ts';
import type { FastLaneReleased } from './events.ts';
import { depositsIn, type FastLane, type LaneDeposit, reentryOf } from './lane.ts';

/** What a deposit of the lane is to whoever comes after it. */
export type Hold =
  | { readonly is: 'in_flight'; readonly deposit: Deposit; readonly paid: boolean }
  /** Its payment is being written, or was cut off before that and will be told again. */
  | { readonly is: 'coming_back' }
  /** Unpaid past its expiry, and its own stream does not say so yet. */
  | { readonly is: 'overdue'; readonly expiresAt: Instant }
  | { readonly is: 'free'; readonly because: FastLaneReleased['data']['because'] }
  /** Entered, and not yet written. */
  | { readonly is: 'absent' };

const absent = ({ occupant }: FastLane, depositId: number, now: Instant): Hold =>
  occupant?.depositId === depositId && !isAfter(now, occupant.opening.data.terms.expiresAt)
    ? { is: 'absent' }
    : { is: 'free', because: 'never_came_to_be' };

const unpaid = (deposit: Deposit, now: Instant): Hold => {
  if (deposit.standing.status === 'Timedout') return { is: 'free', because: 'expired' };
  return isAfter(now, deposit.terms.expiresAt)
    ? { is: 'overdue', expiresAt: deposit.terms.expiresAt }
    : { is: 'in_flight', deposit, paid: false };
};

/** "Unpaid and unexpired, or paid but not yet confirmed": then it is in flight. */
export const holdOf = (lane: FastLane, { depositId, state, revision }: LaneDeposit, now: Instant): Hold => {
  if (state.stage === 'none') return absent(lane, depositId, now);
  const { status } = state.standing;
  if (isPaidUnconfirmed(status)) return { is: 'in_flight', deposit: state, paid: true };
  if (reentryOf(lane, depositId)?.depositRevision === revision) return { is: 'coming_back' };
  return status === 'Pending' || status === 'Timedout' ? unpaid(state, now) : { is: 'free', because: 'confirmed' };
};

export type Held = { readonly depositId: number; readonly hold: Hold };

/** All that stand in the lane. */
export const heldIn = (lane: FastLane, deposits: readonly LaneDeposit[], now: Instant): readonly Held[] =>
  depositsIn(lane).map((depositId) => {
    const deposit = deposits.find((each) => each.depositId === depositId);
    if (!deposit) throw new TypeError(`the lane holds deposit ${depositId}: look at that one`);
    return { depositId, hold: holdOf(lane, deposit, now) };
  });

/** Those of them that are in nobody's way any more. */
export const releasesOf = (held: readonly Held[], at: Instant): readonly FastLaneReleased[] =>
  held.flatMap(({ depositId, hold }): readonly FastLaneReleased[] =>
    hold.is === 'free' ? [{ type: 'FastLaneReleased', data: { at, depositId, because: hold.because } }] : [],
  );
