import { readErrors, schemaMismatch, scopeErrors, shown } from '#platform/errors';
import { OperatorErrors } from '../http/operator-errors.ts';

export const PageErrors = () =>
  OperatorErrors(schemaMismatch([{ path: ['entity_id'], message: 'must be 1 to 15 digits' }]), readErrors.listBehind());

export const DepositErrors = () => OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

export const ChangeErrors = () =>
  OperatorErrors(
    scopeErrors.invalidDepositId(),
    scopeErrors.depositNotFound(),
    shown(409, 'What stands in the way of the change'),
  );
