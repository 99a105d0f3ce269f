import { authenticationErrors, readErrors, schemaMismatch, scopeErrors } from '#door/errors';
import { ApiErrors } from '#door/openapi';

const credentials = () => Object.values(authenticationErrors).map((error) => error());

export const ReadDepositErrors = () =>
  ApiErrors(...credentials(), scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

export const ListDepositsErrors = () =>
  ApiErrors(
    ...credentials(),
    schemaMismatch([{ path: ['entity_id'], message: 'Required' }]),
    scopeErrors.entityIdRequired(),
    scopeErrors.invalidEntityId(),
    scopeErrors.otherEntity(),
    scopeErrors.entityNotFound(),
    scopeErrors.entityDisabled('disabled'),
    readErrors.listBehind(),
  );
