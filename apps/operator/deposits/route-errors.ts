import { shownRelease, shownReview, tooManyCalls } from '#deposit-commands';
import { OperatorErrors } from '#door/access';
import { readErrors, type ShownError, schemaMismatch, scopeErrors } from '#platform/errors';

export const PageErrors = () =>
  OperatorErrors(schemaMismatch([{ path: ['entity_id'], message: 'must be 1 to 15 digits' }]), readErrors.listBehind());

export const DepositErrors = () => OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

const ChangeErrors = (refusal: ShownError) =>
  OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound(), refusal, tooManyCalls());

export const ReviewErrors = () => ChangeErrors(shownReview({ refusal: 'kyt_not_reviewable', kytStatus: 'passed' }));

export const ReleaseErrors = () => ChangeErrors(shownRelease({ refusal: 'return_not_held' }));
