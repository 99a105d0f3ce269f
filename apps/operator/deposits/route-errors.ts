import { OperatorErrors } from '#door/access';
import { commandErrors, readErrors, type ShownError, schemaMismatch, scopeErrors } from '#door/errors';
import { notHeld, notReviewable, notWithheld } from './answers.ts';

export const PageErrors = () =>
  OperatorErrors(schemaMismatch([{ path: ['entity_id'], message: 'must be 1 to 15 digits' }]), readErrors.listBehind());

export const DepositErrors = () => OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

const ChangeErrors = (refusal: ShownError) =>
  OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound(), refusal, commandErrors.tooManyCalls());

export const ReviewErrors = () => ChangeErrors(notReviewable({ kytStatus: 'passed' }));

export const ReleaseErrors = () => ChangeErrors(notHeld());

export const ReleaseSettlementErrors = () => ChangeErrors(notWithheld());
