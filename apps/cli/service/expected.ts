import { type Failure, unreachable } from '../parts/exit.ts';
import { isShaped } from './shape.ts';

/** What a call is answered with that is taken; an object in JSON unless told. */
export type Expected = 'object' | 'nothing';

type Told = { readonly method: string; readonly path: string; readonly body: unknown };

export const isExpected = ({ method, path, body }: Told, expected: Expected = 'object'): boolean => {
  if (expected === 'nothing') return body === '';
  return typeof body === 'object' && body !== null && !Array.isArray(body) && isShaped(body, method, path);
};

export const isLines = (response: Response): boolean =>
  /^application\/x-ndjson\b/i.test(response.headers.get('content-type') ?? '');

/** A proxy, a portal or the console's own pages: they take any token, and find nothing. */
export const noCointill = (url: string): Failure =>
  unreachable(
    `${url} answers as no Cointill does: is the address right (COINTILL_URL, or that of the login; without /console)?`,
  );
