import { OperatorErrors } from '#door/access';
import { commandErrors, readErrors, type ShownError, schemaMismatch, scopeErrors } from '#door/errors';
import {
  heldForMore,
  historyDamaged,
  noSuchRevision,
  notHeld,
  notReviewable,
  notWithheld,
  standsOtherwise,
  withheldForMore,
} from './answers.ts';

export const PageErrors = () =>
  OperatorErrors(schemaMismatch([{ path: ['entity_id'], message: 'must be 1 to 15 digits' }]), readErrors.listBehind());

export const DepositErrors = () => OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

export const MomentErrors = () =>
  OperatorErrors(
    ...[scopeErrors.invalidDepositId(), scopeErrors.depositNotFound(), noSuchRevision(4)],
    historyDamaged('stream deposit-1021: it ends before revision 4, and was seen up to 6'),
    schemaMismatch([{ path: ['revision'], message: 'cannot be sent together with at' }]),
  );

const ChangeErrors = (...refusals: readonly ShownError[]) =>
  OperatorErrors(
    ...[scopeErrors.invalidDepositId(), scopeErrors.depositNotFound()],
    ...[...refusals, commandErrors.tooManyCalls(), readErrors.recordedNotShown()],
  );

export const ReviewErrors = () =>
  ChangeErrors(notReviewable({ kytStatus: 'passed' }), standsOtherwise({ kytStatus: 'failed', named: 'review' }));

export const ReleaseErrors = () => ChangeErrors(notHeld(), heldForMore({ unnamed: ['ofac_hit'] }));

export const ReleaseSettlementErrors = () => ChangeErrors(notWithheld(), withheldForMore({ unnamed: ['ofac_hit'] }));
