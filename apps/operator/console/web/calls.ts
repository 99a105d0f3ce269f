import { refusalIn, unanswered } from './refusals.ts';

export type Sent = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  readonly reason?: string;
  /** Nobody asked for it: it keeps no session alive. */
  readonly byItself?: boolean;
  readonly signal?: AbortSignal;
};

/** Told when the session is over. */
export const SIGNED_OUT = 'cointill-signed-out';

/** Told when somebody else is signed in now, in another window of this browser. */
export const OTHER_PERSON = 'cointill-other-person';

let shownTo: number | undefined;

/** Whom this page is shown to: the service does nothing by it in the name of another. */
export const callAs = (id: number): void => {
  shownTo = id;
};

/** Headers are of ASCII. */
const headersOf = ({ method = 'GET', body, reason, byItself = false }: Sent): Record<string, string> => ({
  'X-Cointill-Console': byItself ? 'by itself' : '1',
  ...(shownTo !== undefined && { 'X-Cointill-Operator': String(shownTo) }),
  // By it the service knows what a browser sends again by itself, having lost the answer.
  ...(method !== 'GET' && { 'X-Cointill-Attempt': crypto.randomUUID() }),
  ...(body && { 'Content-Type': 'application/json' }),
  ...(reason !== undefined && { 'X-Cointill-Reason': encodeURIComponent(reason) }),
});

/** The operators' routes, in the name of whoever is signed in. */
export const call = async <Answer>(path: string, sent: Sent = {}): Promise<Answer> => {
  const { method = 'GET', body, signal } = sent;
  const changes = method !== 'GET' && path.startsWith('/operator');
  const lost =
    (status: number) =>
    (error: unknown): never => {
      throw signal?.aborted ? error : unanswered(status, changes);
    };
  const response = await fetch(path, {
    method,
    headers: headersOf(sent),
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(lost(0));
  if (response.ok)
    return (response.status === 204 ? undefined : await response.json().catch(lost(response.status))) as Answer;
  const error = refusalIn(response.status, await response.json().catch(() => undefined), changes);
  if (response.status === 401 && !path.startsWith('/console/session')) dispatchEvent(new Event(SIGNED_OUT));
  if (error.code === 'session_other_person') dispatchEvent(new Event(OTHER_PERSON));
  throw error;
};

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A path with a query of what is set. */
export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
};
