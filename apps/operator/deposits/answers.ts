import type { ReleaseOutcome, ReviewOutcome } from '#deposit-commands';
import type { ReviewRefusal } from '#deposits';
import { appliedOr, unapplied } from '#door/answers';
import { shown } from '#door/errors';

export const notReviewable = ({ kytStatus }: Pick<ReviewRefusal, 'kytStatus'>) =>
  shown(409, `Cannot review: kyt_status is '${kytStatus ?? 'unset'}'; a review can pass or fail, a failure can pass`);

export const notHeld = () => shown(409, 'Cannot release: screening holds no return of this deposit');

export const reviewed = appliedOr<ReviewOutcome>({ ...unapplied, refused: ({ refusal }) => notReviewable(refusal) });

export const released = appliedOr<ReleaseOutcome>({ ...unapplied, refused: notHeld });
