import type { DepositEvent } from '../floor/events.ts';
import type { Deposit } from '../floor/state.ts';
import { type Instant, isAfter } from '../floor/time.ts';
import { isPaidUnconfirmed } from '../standing/status.ts';
import type { FastLaneEvent } from './events.ts';
import { heldIn, releasesOf } from './hold.ts';
import { type FastLane, type LaneDeposit, reentryOf } from './lane.ts';

/**
 * Nobody enters before the stream of whoever stands in the lane says that its time is up. As long as that says nothing
 * of the kind, and no payment was ever seen, the deposit stands there still.
 */
const neverLeft = ({ expired, payments, standing, terms }: Deposit, now: Instant): boolean =>
  standing.status === 'Pending' && !expired && payments.length === 0 && !isAfter(now, terms.expiresAt);

/** Whether the event has a deposit in flight that may have left the lane. */
export const comesBack = (before: Deposit, event: DepositEvent, now: Instant): boolean => {
  if (!before.terms.noConf || isPaidUnconfirmed(before.standing.status) || !('changes' in event.data)) return false;
  const { status } = event.data.changes;
  return status !== undefined && isPaidUnconfirmed(status) && !neverLeft(before, now);
};

export type ReenterFastLane = {
  readonly at: Instant;
  readonly now: Instant;
  readonly depositId: number;
  readonly depositRevision: number;
  /** Every deposit that stands in the lane. */
  readonly deposits: readonly LaneDeposit[];
};

export type Reentered = { readonly behind: number | null; readonly events: readonly FastLaneEvent[] };

/**
 * Appended with the lane's expected revision, before the payment. Whoever comes back while another is in flight, or
 * may be, is in flight as well: it is paid and cannot be refused. It is credited after its confirmation.
 */
export const decideReenter = (lane: FastLane, command: ReenterFastLane): Reentered => {
  const { at, now, depositId, depositRevision, deposits } = command;
  const known = reentryOf(lane, depositId);
  if (known?.depositRevision === depositRevision) return { behind: known.behind, events: [] };
  const held = heldIn(lane, deposits, now).filter((each) => each.depositId !== depositId);
  const behind = held.find(({ hold }) => hold.is !== 'free')?.depositId ?? null;
  return {
    behind,
    events: [...releasesOf(held, at), { type: 'FastLaneReentered', data: { at, depositId, depositRevision, behind } }],
  };
};
