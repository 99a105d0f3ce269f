import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { boundedText, type Sieve, TooLarge } from '#platform/bounded-text';
import { reasonOf } from '#platform/reason';
import { answerOf, answersTo } from './answers.ts';
import { AnswerTooLarge, NodeRefused, NodeUnreachable } from './errors.ts';
import { type Call, inParts } from './in-parts.ts';
import { parseJson } from './parse-json.ts';

/** One of them, or none. A node writes its cookie anew at each start, so it is read for each connection. */
export type NodeLogin = { readonly user?: string; readonly password?: string; readonly cookieFile?: string };

export type { Call };

export type NodePlace = {
  readonly url: string;
  /** As operators see it; otherwise its host. */
  readonly name?: string;
  readonly login?: NodeLogin;
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
};

export type RpcClient = {
  readonly name: string;
  /** How long one answer may take. */
  readonly timeoutMs: number;
  readonly call: <T>(...call: Call) => Promise<T>;
  /** Several in one round trip; those that were refused are undefined. */
  readonly batch: <T>(calls: readonly Call[]) => Promise<readonly (T | undefined)[]>;
};

const TIMEOUT_MS = 25_000;
/** A block of 32 MB is asked for in hexadecimal, and so are 50 transactions of 400 kB at once. */
const MOST_BYTES = 256 * 2 ** 20;
/** A node that is asked too much at once says so; a moment later it answers. */
const BUSY = new Set([429, 503]);
/** So do those that stand in front of one, which speak for it in whatever words. */
const NOT_THE_NODE = new Set([...BUSY, 502, 504]);
const TRIES = 3;

export const rpcClient = (
  { url, name = new URL(url).host, login = {}, timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES }: NodePlace,
  sieve?: () => Sieve,
): RpcClient => {
  const place = new URL(url);
  const [user, password] = [decodeURIComponent(place.username), decodeURIComponent(place.password)];
  [place.username, place.password] = ['', ''];

  const credentials = async (): Promise<string | undefined> => {
    if (login.cookieFile) return (await readFile(login.cookieFile, 'utf8')).trim();
    if (login.user !== undefined) return `${login.user}:${login.password ?? ''}`;
    return user === '' ? undefined : `${user}:${password}`;
  };

  const post = async (body: string, tries = TRIES): Promise<unknown> => {
    const known = await credentials();
    const answer = await fetch(place, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        ...(known !== undefined && { authorization: `Basic ${Buffer.from(known).toString('base64')}` }),
      },
    });
    const text = await boundedText(answer.body, mostBytes, sieve?.());
    if (BUSY.has(answer.status) && tries > 1) {
      await delay(100);
      return post(body, tries - 1);
    }
    if (NOT_THE_NODE.has(answer.status)) throw new Error(`it answers ${answer.status}`);
    if (answer.status === 401 || answer.status === 403) throw new Error('it refuses the login');
    if (!/^\s*[[{]/.test(text)) throw new Error(`it answers ${answer.status} without JSON`);
    return parseJson(text);
  };

  const ask = async (body: unknown): Promise<unknown> => {
    try {
      return await post(JSON.stringify(body));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const Failure = cause instanceof TooLarge ? AnswerTooLarge : NodeUnreachable;
      throw new Failure(`${name} does not answer: ${reasonOf(cause)}`, { cause: error });
    }
  };

  const requestOf = ([method, ...params]: Call, id: number) => ({ jsonrpc: '2.0', id, method, params });

  const all = inParts(
    async (calls) => answersTo(calls.length, await ask(calls.map(requestOf)), name),
    async (call) => answerOf(await ask(requestOf(call, 0)), name),
  );

  return {
    name,
    timeoutMs,
    call: async <T>(...call: Call) => {
      const { result, error } = answerOf(await ask(requestOf(call, 0)), name);
      if (error) throw new NodeRefused(call[0], error.code, error.message);
      return result as T;
    },
    batch: async <T>(calls: readonly Call[]) =>
      (await all(calls)).map(({ result, error }) => (error ? undefined : (result as T))),
  };
};
