import { scopeErrors } from '../errors/index.ts';
import { readId } from '../http/index.ts';

/** In the path of a request. */
export const depositIdOf = (text: string): number =>
  readId(text, { invalidId: scopeErrors.invalidDepositId, notFound: scopeErrors.depositNotFound });
