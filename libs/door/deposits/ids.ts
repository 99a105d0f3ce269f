import { scopeErrors } from '../errors/index.ts';
import { readId } from '../http/index.ts';

/** No casino has it: what names no number that there can be is looked up and not found, as any other id. */
const NO_CASINO = 0;

/** "An empty one `entity_id is required`, anything but digits `Invalid entity_id`." */
export const entityIdOf = (text: string): number => {
  if (text === '') throw scopeErrors.entityIdRequired();
  if (!/^[0-9]+$/.test(text)) throw scopeErrors.invalidEntityId();
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : NO_CASINO;
};

/** In the path of a request. */
export const depositIdOf = (text: string): number =>
  readId(text, { invalidId: scopeErrors.invalidDepositId, notFound: scopeErrors.depositNotFound });
