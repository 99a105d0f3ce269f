import { authenticationErrors, schemaMismatch, scopeErrors, shown } from '#platform/errors';
import { ApiErrors } from '../../api/openapi/api-errors.ts';

const credentials = () => [
  authenticationErrors.missing(),
  authenticationErrors.invalidToken(),
  authenticationErrors.tokenRevoked(),
  authenticationErrors.insufficientPermissions(),
];

export const PageErrors = () =>
  ApiErrors(
    ...credentials(),
    schemaMismatch([{ path: ['entity_id'], message: 'must be an id: digits alone' }]),
    shown(503, 'The list of deposits is behind and being brought up to date: try again in 5 seconds'),
  );

export const DepositErrors = () =>
  ApiErrors(...credentials(), scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

export const ChangeErrors = () =>
  ApiErrors(
    ...credentials(),
    scopeErrors.invalidDepositId(),
    scopeErrors.depositNotFound(),
    shown(409, 'What stands in the way of the change'),
  );
