import { scopeErrors } from '#platform/errors';

/** "An id is ASCII digits only, else 400; digits beyond the range are 404." */
export const depositIdOf = (text: string): number => {
  if (!/^[0-9]+$/.test(text)) throw scopeErrors.invalidDepositId();
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw scopeErrors.depositNotFound();
  return id;
};
