import { PATIENCE_MS, silence } from './parts/patience.ts';
import { type CallError, refusalIn, unanswered } from './refusals.ts';

export type Sent = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  readonly reason?: string;
  /** Nobody asked for it: it keeps no session alive. */
  readonly byItself?: boolean;
  /** Of whoever gives it up by himself; else its answer is waited for as long as a page waits for one. */
  readonly signal?: AbortSignal;
};

/** Told when the session is over. */
export const SIGNED_OUT = 'cointill-signed-out';

/** Told when somebody else is signed in now, in another window of this browser. */
export const OTHER_PERSON = 'cointill-other-person';

/** Told when something may have been done that nobody was answered: whatever is shown is asked for again. */
export const LOOK_AGAIN = 'cointill-look-again';

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

const lookAgain = (error: CallError): CallError => {
  // What is shown is asked for once whoever is told has been told.
  setTimeout(() => dispatchEvent(new Event(LOOK_AGAIN)));
  return error;
};

const answerTo = async <Answer>(
  path: string,
  sent: Sent,
  signal: AbortSignal,
  givenUp: () => boolean,
): Promise<Answer> => {
  const { method = 'GET', body } = sent;
  const changes = method !== 'GET' && path.startsWith('/operator');
  const told = (error: CallError): CallError => (changes ? lookAgain(error) : error);
  const lost =
    (status: number) =>
    (error: unknown): never => {
      if (sent.signal?.aborted) throw error;
      throw told(unanswered(status, changes, givenUp() ? silence(PATIENCE_MS) : undefined));
    };
  const response = await fetch(path, {
    method,
    headers: headersOf(sent),
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    signal,
  }).catch(lost(0));
  if (response.ok)
    return (response.status === 204 ? undefined : await response.json().catch(lost(response.status))) as Answer;
  const answered = await response.json().catch(() => undefined);
  if (signal.aborted) return lost(response.status)(signal.reason);
  const error = refusalIn(response.status, answered, changes);
  if (response.status === 401 && !path.startsWith('/console/session')) dispatchEvent(new Event(SIGNED_OUT));
  if (error.code === 'session_other_person') dispatchEvent(new Event(OTHER_PERSON));
  throw error;
};

/** The operators' routes, in the name of whoever is signed in. */
export const call = async <Answer>(path: string, sent: Sent = {}): Promise<Answer> => {
  const abort = new AbortController();
  const timer = sent.signal ? undefined : setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    return await answerTo<Answer>(path, sent, sent.signal ?? abort.signal, () => abort.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
};

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A path with a query of what is set. */
export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
};
