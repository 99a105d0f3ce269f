import { type AccountSubject, accountErrors } from '#platform/errors';

/** "An id is ASCII digits only, else 400; digits beyond the range are 404." */
export const idIn = (subject: AccountSubject, text: string): number => {
  if (!/^[0-9]+$/.test(text)) throw accountErrors.invalidId(subject);
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw accountErrors.notFound(subject);
  return id;
};

/** Left out and null stay what they are. */
export const timeIn = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text;
