import { type AccountSubject, accountErrors } from '#door/errors';
import { readId } from '#door/http';

/** In the path of a request. */
export const idIn = (subject: AccountSubject, text: string): number =>
  readId(text, {
    invalidId: () => accountErrors.invalidId(subject),
    notFound: () => accountErrors.notFound(subject),
  });

/** Left out and null stay what they are. */
export const timeIn = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text;
