/** The catalogue of the interface's errors: each is written here once, with its status, detail, code and fields. */
export { type AccountSubject, accountErrors } from './accounts.ts';
export { authenticationErrors, scopeErrors } from './authentication.ts';
export { createDepositErrors } from './create-deposit.ts';
export { acceptErrors, commandErrors, freezeErrors, returnErrors } from './decisions.ts';
export { firstNamed } from './first-named.ts';
export { httpErrors } from './http.ts';
export { integrationErrors } from './integration.ts';
export { legacyErrors } from './legacy.ts';
export { readErrors } from './reads.ts';
export { sessionErrors } from './sessions.ts';
export { ShownError, shown } from './shown-error.ts';
export { type Issue, schemaMismatch } from './validation.ts';
