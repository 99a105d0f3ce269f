import { boundedText } from '#platform/bounded-text';
import { Failure, refused, unreachable } from '../parts/exit.ts';
import { type Expected, isExpected, isLines, noCointill } from './expected.ts';
import { type Place, placeToCall } from './place.ts';

export type Asked = {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly expected?: Expected;
};

export type Answered = { readonly status: number; readonly body: unknown };

export type Service = {
  /** What it answers to a call that it takes; else the command ends: 3 when it refused, 4 when it cannot. */
  readonly call: (method: string, path: string, asked?: Asked) => Promise<unknown>;
  /** Its answer, a refusal too; the command ends with 4 when there is none, or one that no Cointill gives. */
  readonly answer: (method: string, path: string, asked?: Asked) => Promise<Answered>;
  /** The bytes of an answer in lines that may have no end in sight. */
  readonly stream: (method: string, path: string, asked?: Asked) => AsyncIterable<Uint8Array>;
};

const PATIENCE_MS = 60_000;
/** Of an answer that is shown as one; what has no end in sight is a stream. */
const MOST_BYTES = 64 * 2 ** 20;

/** What OpenSSL says of an answer without TLS, by its version. */
const WITHOUT_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1_000} s`;
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && WITHOUT_TLS.includes(String(cause.code)))
    return 'what listens there does not speak TLS: log in to an address with http://, or to the port of TLS before it';
  return cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : cause.name) : error.message;
};

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await boundedText(response.body, MOST_BYTES);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return isJson && text !== '' ? JSON.parse(text) : text;
};

const ask = async (place: Place, method: string, path: string, asked: Asked, signal: AbortSignal) => {
  const url = new URL(`${place.url.replace(/\/$/, '')}${path}`);
  for (const [name, value] of Object.entries(asked.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers: Record<string, string> = { authorization: `Bearer ${place.token}`, accept: 'application/json' };
  if (asked.body !== undefined) headers['content-type'] = 'application/json';
  return fetch(url, {
    ...{ method, headers, body: asked.body === undefined ? null : JSON.stringify(asked.body) },
    // A token goes to the address that it was given for: an answer may not send it on.
    redirect: 'error',
    signal,
  });
};

type Issue = { readonly path?: readonly (string | number)[]; readonly message?: string };

/** What is wrong with which field, as the interface's validation errors carry it in JSON within JSON. */
const issuesIn = (body: unknown): string | undefined => {
  const { message } = ((body as { error?: { message?: unknown } } | null)?.error ?? {}) as { message?: unknown };
  if (typeof message !== 'string') return undefined;
  try {
    const issues = JSON.parse(message) as readonly Issue[];
    return issues.map(({ path = [], message: what = '' }) => `${path.join('.') || 'the call'}: ${what}`).join('\n');
  } catch {
    return undefined;
  }
};

const saying = (body: unknown, status: number): string => {
  const { detail, code } = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = typeof detail === 'string' ? detail : (issuesIn(body) ?? JSON.stringify(detail ?? body));
  return `${text} (${[status, code].filter(Boolean).join(', ')})`;
};

const takenAsLines = async ({ url }: Place, response: Response): Promise<void> => {
  if (response.status >= 300) {
    const said = saying(await bodyOf(response), response.status);
    throw response.status >= 500 ? unreachable(said) : refused(said);
  }
  if (isLines(response)) return;
  await response.body?.cancel();
  throw noCointill(url);
};

export const openService = ({ signal, place }: { signal: AbortSignal; place?: Place }): Service => {
  const answer: Service['answer'] = async (method, path, asked = {}) => {
    const to = place ?? (await placeToCall());
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const response = await ask(to, method, path, asked, within);
      const body = await bodyOf(response);
      if (response.ok && !isExpected({ method, path, body }, asked.expected)) throw noCointill(to.url);
      return { status: response.status, body };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      throw unreachable(`${to.url} cannot be reached: ${reasonOf(error)}`);
    }
  };
  return {
    answer,
    stream: async function* (method, path, asked = {}) {
      const to = place ?? (await placeToCall());
      const response = await ask(to, method, path, asked, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw unreachable(`${to.url} cannot be reached: ${reasonOf(error)}`);
      });
      try {
        await takenAsLines(to, response);
        if (response.body) yield* response.body;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure) throw error;
        throw unreachable(`${to.url} broke its answer off: ${reasonOf(error)}`);
      }
    },
    call: async (method, path, asked) => {
      const { status, body } = await answer(method, path, asked);
      if (status >= 500) throw unreachable(saying(body, status));
      if (status >= 300) throw refused(saying(body, status));
      return body;
    },
  };
};
