import type { Dispatcher } from 'undici';

const EXCERPT_CHARACTERS = 500;

/** No character of UTF-8 has more bytes than four, and the three of a mark of their order are none. */
const ENOUGH_BYTES = EXCERPT_CHARACTERS * 4 + 3;

const decoder = new TextDecoder();

/** As people and OpenAPI count them; no character has more units than two, so that little is taken apart. */
const firstCharacters = (bytes: Buffer): string =>
  Array.from(decoder.decode(bytes).slice(0, 2 * EXCERPT_CHARACTERS))
    .slice(0, EXCERPT_CHARACTERS)
    .join('');

type Excerpt = {
  /** True when enough has come. */
  readonly add: (chunk: Buffer) => boolean;
  readonly text: () => string;
};

/** The beginning of an answer. No more is read than is kept. */
const startExcerpt = (): Excerpt => {
  const chunks: Buffer[] = [];
  let received = 0;
  return {
    add: (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      return received >= ENOUGH_BYTES;
    },
    text: () => firstCharacters(Buffer.concat(chunks)),
  };
};

const calls = new WeakMap<AbortSignal, Set<() => void>>();

const callsOf = (signal: AbortSignal): Set<() => void> => {
  const known = calls.get(signal);
  if (known) return known;
  const made = new Set<() => void>();
  calls.set(signal, made);
  const all = (): void => {
    for (const call of made) call();
  };
  signal.addEventListener('abort', all, { once: true });
  return made;
};

/** Calls when `signal` aborts, until what it returns is called. Hundreds of attempts share a signal: it hears one. */
const onAbort = (signal: AbortSignal | undefined, call: () => void): (() => void) => {
  if (!signal) return () => undefined;
  const all = callsOf(signal);
  all.add(call);
  return () => all.delete(call);
};

/** What came of a request: an answer, as far as it came, or why there was none. */
export type Exchanged =
  | {
      readonly answered: true;
      readonly statusCode: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly excerpt: string;
    }
  | { readonly answered: false; readonly error: unknown };

export type Place = { readonly origin: string; readonly path: string };

export type Exchange = {
  readonly dispatcher: Dispatcher;
  readonly place: Place;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Over everything, from the look-up to the end of the answer. */
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
};

export class TimeLimitPassed extends Error {}
export class BrokenOff extends Error {}

export class TooManyInterim extends Error {
  override readonly message = 'The answer did not come: interim answers (1xx) came without end';
}

/** Who sends more has no answer: they cost the one thread that serves everybody, as fast as they come. */
const MOST_INTERIM = 10;

/** Once the status is there, nothing but the excerpt is waited for. */
const REST_LIMIT_MS = 5_000;

type Begun = { readonly statusCode: number; readonly headers: Dispatcher.ResponseData['headers'] };

/**
 * One request, without what the client's own convenience costs per request: no stream is made of the answer. Of a long
 * answer the rest is left unread and its connection closed; one that breaks off or does not end has answered all the
 * same, with what has come, since only the status decides.
 */
export const exchange = ({ dispatcher, place, headers, body, timeLimitMs, signal }: Exchange): Promise<Exchanged> => {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const excerpt = startExcerpt();
  let begun: Begun | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let over = false;
  let interim = 0;

  const end = (error?: unknown): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    clearTimeout(restTimer);
    forget();
    resolve(begun ? { answered: true, ...begun, excerpt: excerpt.text() } : { answered: false, error });
  };
  const giveUp = (why: Error): void => {
    end(why);
    controller?.abort(why);
  };
  const breakOff = (): void => giveUp(new BrokenOff());
  const passed = (): void => giveUp(new TimeLimitPassed());
  const timer = setTimeout(passed, timeLimitMs);
  let restTimer: NodeJS.Timeout | undefined;
  const forget = onAbort(signal, breakOff);
  if (signal?.aborted) breakOff();

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (given) => {
      controller = given;
      // Given up while it waited for its connection: it is not sent.
      if (over) given.abort(new BrokenOff());
    },
    onResponseStart: (_, statusCode, answered) => {
      // What comes before the answer, such as 103, is none.
      if (statusCode >= 200) {
        begun = { statusCode, headers: answered };
        if (!over) restTimer = setTimeout(passed, REST_LIMIT_MS);
      } else if (++interim > MOST_INTERIM) giveUp(new TooManyInterim());
    },
    onResponseData: (_, chunk) => {
      if (!over && excerpt.add(chunk)) giveUp(new BrokenOff());
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => end(error),
  };
  try {
    dispatcher.dispatch({ ...place, method: 'POST', headers, body }, handler);
  } catch (error) {
    end(error);
  }
  return promise;
};
