import { OperatorErrors } from '#door/access';
import { commandErrors, readErrors, type ShownError, schemaMismatch, scopeErrors } from '#door/errors';
import { noSuchRevision, notHeld, notReviewable, notWithheld } from './answers.ts';

export const PageErrors = () =>
  OperatorErrors(schemaMismatch([{ path: ['entity_id'], message: 'must be 1 to 15 digits' }]), readErrors.listBehind());

export const DepositErrors = () => OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

export const MomentErrors = () =>
  OperatorErrors(
    ...[scopeErrors.invalidDepositId(), scopeErrors.depositNotFound(), noSuchRevision(4)],
    schemaMismatch([{ path: ['revision'], message: 'cannot be sent together with at' }]),
  );

const ChangeErrors = (refusal: ShownError) =>
  OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound(), refusal, commandErrors.tooManyCalls());

export const ReviewErrors = () => ChangeErrors(notReviewable({ kytStatus: 'passed' }));

export const ReleaseErrors = () => ChangeErrors(notHeld());

export const ReleaseSettlementErrors = () => ChangeErrors(notWithheld());
