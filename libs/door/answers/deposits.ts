import { commandErrors, scopeErrors } from '../errors/index.ts';

/** What any command on a deposit may come to, whoever sent it. */
export const unapplied = { not_found: scopeErrors.depositNotFound, busy: commandErrors.tooManyCalls } as const;
