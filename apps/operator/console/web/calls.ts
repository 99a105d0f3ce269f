/** What the server refused, in its own words. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The one that it waits for. */
  readonly approval: number | undefined;

  constructor(status: number, detail: string, { code, approval }: { code?: string; approval?: number } = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.approval = approval;
  }
}

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

/** Why nothing is known of what was sent; what changes something may have arrived all the same. */
const unanswered = (changes: boolean): string =>
  changes
    ? 'The connection was lost before the answer came: it may have been done. Look before you do it again.'
    : 'The service cannot be reached';

const errorIn = async (response: Response): Promise<CallError> => {
  const body = (await response.json().catch(() => ({}))) as {
    detail?: unknown;
    code?: string;
    approval?: number;
  };
  const detail = typeof body.detail === 'string' ? body.detail : JSON.stringify(body);
  return new CallError(response.status, detail, body);
};

/** Headers are of ASCII. */
const headersOf = ({ method = 'GET', body, reason, byItself = false }: Sent): Record<string, string> => ({
  'X-Cointill-Console': byItself ? 'by itself' : '1',
  // By it the service knows what a browser sends again by itself, having lost the answer.
  ...(method !== 'GET' && { 'X-Cointill-Attempt': crypto.randomUUID() }),
  ...(body && { 'Content-Type': 'application/json' }),
  ...(reason !== undefined && { 'X-Cointill-Reason': encodeURIComponent(reason) }),
});

/** The operators' routes, in the name of whoever is signed in. */
export const call = async <Answer>(path: string, sent: Sent = {}): Promise<Answer> => {
  const { method = 'GET', body, signal } = sent;
  const response = await fetch(path, {
    method,
    headers: headersOf(sent),
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallError(0, unanswered(method !== 'GET' && path.startsWith('/operator')));
  });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Answer;
  const error = await errorIn(response);
  if (response.status === 401 && !path.startsWith('/console/session')) dispatchEvent(new Event(SIGNED_OUT));
  throw error;
};

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A path with a query of what is set. */
export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
};
