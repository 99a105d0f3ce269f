import type { ReviewKyt } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { KytStatus, ReviewedStatus } from '../floor/words.ts';
import { factOf } from '../standing/fact.ts';
import { isSeen } from '../standing/since.ts';
import { alarmAlert } from './alarm.ts';
import { followKyt } from './kyt.ts';

export type ReviewRefusal =
  | { readonly refusal: 'kyt_not_reviewable'; readonly kytStatus: KytStatus | null }
  | {
      readonly refusal: 'kyt_stands_otherwise';
      readonly kytStatus: KytStatus | null;
      readonly named: ReviewedStatus;
    }
  | { readonly refusal: 'kyt_came_up_since'; readonly kytStatus: KytStatus | null };

/** A review may become passed or failed; a failure only passed. */
const mayBecome = (status: KytStatus | null, result: ReviewKyt['result']): boolean =>
  status === 'review' || (status === 'failed' && result === 'passed');

const approved = (deposit: Deposit): Deposit =>
  deposit.standing.status === 'ConfirmedKYTReview' ? stand(deposit, { status: 'ConfirmedApproved' }) : deposit;

export const decideReview = (
  deposit: Deposit,
  { result, note, named, seen, now }: ReviewKyt,
): CommandOutcome<ReviewRefusal> => {
  const { kytStatus } = deposit.standing;
  if (!mayBecome(kytStatus, result)) return refused({ refusal: 'kyt_not_reviewable', kytStatus });
  if (named !== null && named !== kytStatus) return refused({ refusal: 'kyt_stands_otherwise', kytStatus, named });
  if (!isSeen(deposit, 'kyt', seen)) return refused({ refusal: 'kyt_came_up_since', kytStatus });
  const judged = stand(deposit, { kytStatus: result, kytCheckedAt: now });
  const after = result === 'passed' ? approved(judged) : followKyt(judged, result, now);
  const alert = result === 'failed' && alarmAlert(deposit, after);
  return applied({ type: 'KytReviewed', data: { result, note, ...factOf(deposit, after, now, alert) } });
};
