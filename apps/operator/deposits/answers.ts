import type { ReleaseOutcome, ReleaseSettlementOutcome, ReviewOutcome } from '#deposit-commands';
import type { ReviewRefusal } from '#deposits';
import { appliedOr, unapplied } from '#door/answers';
import { authenticationErrors, shown } from '#door/errors';

export const notReviewable = ({ kytStatus }: Pick<ReviewRefusal, 'kytStatus'>) =>
  shown(409, `Cannot review: kyt_status is '${kytStatus ?? 'unset'}'; a review can pass or fail, a failure can pass`, {
    code: 'kyt_not_reviewable',
  });

export const noSuchRevision = (last: number) =>
  shown(404, `The history of this deposit ends with revision ${last}`, { code: 'revision_not_found' });

export const notHeld = () =>
  shown(409, 'Cannot release: screening holds no return of this deposit', { code: 'return_not_held' });

export const reviewed = appliedOr<ReviewOutcome>({ ...unapplied, refused: ({ refusal }) => notReviewable(refusal) });

export const notWithheld = () =>
  shown(409, 'Cannot release: nothing withholds the settlement of this deposit', { code: 'settlement_not_withheld' });

export const released = appliedOr<ReleaseOutcome>({
  ...unapplied,
  refused: ({ refusal: { refusal } }) =>
    refusal === 'held_by_hit' ? authenticationErrors.insufficientPermissions() : notHeld(),
});

export const settlementReleased = appliedOr<ReleaseSettlementOutcome>({ ...unapplied, refused: notWithheld });
