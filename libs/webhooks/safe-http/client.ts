import { Agent } from 'undici';
import { basicOf } from './basic.ts';
import { createConnector } from './connector.ts';
import { describeFailure } from './describe-failure.ts';
import { BrokenOff, exchange, type Place, TimeLimitPassed } from './exchange.ts';
import type { LookUp } from './look-up.ts';

export const TIME_LIMIT_MS = 30_000;

export type Attempted = {
  readonly durationMs: number;
  /** Null: no answer came, and `error` says why. */
  readonly statusCode: number | null;
  readonly excerpt: string | null;
  readonly retryAfter: string | null;
  readonly error: string | null;
};

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Ends the attempt early; it then counts as one without an answer. */
  readonly signal?: AbortSignal;
};

/** The one way out to partners: real deliveries and the test button use the same. */
export type WebhookClient = {
  /** Never throws: whatever happens is an attempt. */
  readonly post: (post: Post) => Promise<Attempted>;
  readonly close: () => Promise<void>;
};

export type WebhookClientOptions = {
  /** For a laptop: private and loopback addresses too. */
  readonly allowPrivate: boolean;
  /** Over the whole exchange, from the look-up to the end of the answer. */
  readonly timeLimitMs?: number;
  /** Default: the machine's list of hosts and its name servers. */
  readonly resolve?: LookUp;
};

type Destination = { readonly place: Place; readonly authorization: Readonly<Record<string, string>> };

/** Where a request goes, and what lets it in; undefined for what is no URL of http or https. */
const readDestination = (text: string): Destination | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return { place: { origin: url.origin, path: `${url.pathname}${url.search}` }, authorization: basicOf(url) };
};

const MOST_DESTINATIONS = 1_000;

/** The same few URLs come again and again. */
const rememberDestinations = () => {
  const known = new Map<string, Destination | undefined>();
  return (text: string): Destination | undefined => {
    if (known.has(text)) return known.get(text);
    if (known.size >= MOST_DESTINATIONS) known.clear();
    const read = readDestination(text);
    known.set(text, read);
    return read;
  };
};

const oneOf = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;

const failed = (error: string, durationMs: number): Attempted => ({
  statusCode: null,
  excerpt: null,
  retryAfter: null,
  error,
  durationMs,
});

const whyNot = (error: unknown, timeLimitMs: number): string => {
  if (error instanceof TimeLimitPassed) return `Timeout: no answer within ${timeLimitMs / 1_000} seconds`;
  return error instanceof BrokenOff ? 'The attempt was broken off' : describeFailure(error);
};

export const createWebhookClient = ({
  allowPrivate,
  timeLimitMs = TIME_LIMIT_MS,
  resolve,
}: WebhookClientOptions): WebhookClient => {
  const agent = new Agent({
    connect: createConnector({ allowPrivate, ...(resolve && { resolve }) }),
    allowH2: false,
    pipelining: 1,
    // One limit over everything stands above these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const destinationOf = rememberDestinations();

  return {
    post: async ({ url, headers, body, signal }) => {
      const destination = destinationOf(url);
      if (!destination) return failed('The URL is not one of http or https', 0);
      const { place, authorization } = destination;
      const start = performance.now();
      const exchanged = await exchange({
        ...{ dispatcher: agent, place, headers: { ...headers, ...authorization } },
        ...{ body, timeLimitMs, signal },
      });
      const durationMs = Math.round(performance.now() - start);
      if (!exchanged.answered) return failed(whyNot(exchanged.error, timeLimitMs), durationMs);
      const { statusCode, excerpt, headers: answered } = exchanged;
      return { statusCode, excerpt, retryAfter: oneOf(answered['retry-after']), error: null, durationMs };
    },
    close: () => agent.destroy(),
  };
};
