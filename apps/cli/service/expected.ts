import { type Failure, unreachable } from '../parts/exit.ts';

/** What a call is answered with that is taken; an object in JSON unless told. */
export type Expected = 'object' | 'nothing';

export const isExpected = (body: unknown, expected: Expected = 'object'): boolean =>
  expected === 'nothing' ? body === '' : typeof body === 'object' && body !== null && !Array.isArray(body);

export const isLines = (response: Response): boolean =>
  /^application\/x-ndjson\b/i.test(response.headers.get('content-type') ?? '');

/** A proxy, a portal or the console's own pages: they take any token, and find nothing. */
export const noCointill = (url: string): Failure =>
  unreachable(
    `${url} answers as no Cointill does: is the address right (COINTILL_URL, or that of the login; without /console)?`,
  );
