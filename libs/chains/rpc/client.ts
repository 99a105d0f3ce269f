import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { boundedText, type Sieve, TooLarge } from '#platform/bounded-text';
import { reasonOf } from '#platform/reason';
import { parseJson } from './parse-json.ts';

/** The node did not answer, or not in a way that a node does. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

/** It sends more than may be read at once. */
export class AnswerTooLarge extends NodeUnreachable {}

/** The node answered that it will not. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';
  readonly code: number;
  /** In its own words. */
  readonly said: string;

  constructor(method: string, code: number, said: string) {
    super(`${method}: ${said} (${code})`);
    this.code = code;
    this.said = said;
  }
}

const METHOD_NOT_FOUND = -32601;
/** A node that begins refuses everything for a while, and that says nothing of what was asked. */
const BEGINS = -28;
/** As those say who count questions. */
const LIMITED = -32005;

/** By its code: Besu has one of its own for what is not switched on. */
const LACKING = new Set([METHOD_NOT_FOUND, -32604]);
/** And in words alone, which say it of the method, and not of what it was asked about. */
const LACKS =
  /^the method \S+ (?:does not exist|is not (?:available|found|supported))|^method not (?:found|enabled|supported)|^command unimplemented/i;

export const lacksMethod = (error: unknown): boolean =>
  error instanceof NodeRefused && (LACKING.has(error.code) || LACKS.test(error.said));

/** One of them, or none. A node writes its cookie anew at each start, so it is read for each connection. */
export type NodeLogin = { readonly user?: string; readonly password?: string; readonly cookieFile?: string };

export type NodePlace = {
  readonly url: string;
  /** As operators see it; otherwise its host. */
  readonly name?: string;
  readonly login?: NodeLogin;
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
};

export type Call = readonly [method: string, ...params: unknown[]];

export type RpcClient = {
  readonly name: string;
  /** How long one answer may take. */
  readonly timeoutMs: number;
  readonly call: <T>(...call: Call) => Promise<T>;
  /** Several in one round trip; those that were refused are undefined. */
  readonly batch: <T>(calls: readonly Call[]) => Promise<readonly (T | undefined)[]>;
};

type Answer = {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
};

const isAnswer = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const error = 'error' in value ? value.error : undefined;
  return 'result' in value || (typeof error === 'object' && error !== null);
};

const TIMEOUT_MS = 25_000;
const MOST_AT_ONCE = 200;
/** A block of 32 MB is asked for in hexadecimal, and so are 200 transactions of 400 kB at once. */
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

  /** What stands in front of a node answers in JSON too, that it is asked too much: that says nothing of the chain. */
  const awake = (answer: Answer): Answer => {
    if (!isAnswer(answer)) throw new NodeUnreachable(`${name} answers what no node does`);
    const { code, message } = answer.error ?? {};
    if (code === BEGINS) throw new NodeUnreachable(`${name} begins: ${message}`);
    if (code === LIMITED) throw new NodeUnreachable(`${name} is asked too much: ${message}`);
    return answer;
  };

  const requestOf = ([method, ...params]: Call, id: number) => ({ jsonrpc: '2.0', id, method, params });

  const batchOf = async (calls: readonly Call[]): Promise<readonly (Answer | undefined)[]> => {
    const answers = await ask(calls.map(requestOf));
    if (!Array.isArray(answers)) throw new NodeUnreachable(`${name} does not take several questions at once`);
    const byId = new Map((answers as readonly Answer[]).map((answer) => [answer.id, awake(answer)]));
    return calls.map((_, id) => byId.get(id));
  };

  return {
    name,
    timeoutMs,
    call: async <T>(...call: Call) => {
      const { result, error } = awake((await ask(requestOf(call, 0))) as Answer);
      if (error) throw new NodeRefused(call[0], error.code, error.message);
      return result as T;
    },
    batch: async <T>(calls: readonly Call[]) => {
      const all: (T | undefined)[] = [];
      for (let from = 0; from < calls.length; from += MOST_AT_ONCE)
        for (const answer of await batchOf(calls.slice(from, from + MOST_AT_ONCE)))
          all.push(answer && !answer.error ? (answer.result as T) : undefined);
      return all;
    },
  };
};
