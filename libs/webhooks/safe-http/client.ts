import { Agent, type Dispatcher, request } from 'undici';
import { createConnector, type Resolve } from './connector.ts';
import { describeFailure } from './describe-failure.ts';
import { readExcerpt } from './excerpt.ts';

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
  readonly body: string;
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
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
};

const readUrl = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
};

const oneOf = (value: string | string[] | undefined): string | null => [value].flat()[0] ?? null;

type Outcome = Omit<Attempted, 'durationMs'>;

const failed = (error: string): Outcome => ({ statusCode: null, excerpt: null, retryAfter: null, error });

const exchange = async (dispatcher: Dispatcher, url: URL, post: Post, signal: AbortSignal): Promise<Outcome> => {
  const { headers, body } = post;
  const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal });
  return {
    statusCode: answer.statusCode,
    excerpt: await readExcerpt(answer.body),
    retryAfter: oneOf(answer.headers['retry-after']),
    error: null,
  };
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

  const attempt = async (post: Post): Promise<Outcome> => {
    const url = readUrl(post.url);
    if (!url) return failed('The URL is not one of http or https');
    const limit = AbortSignal.timeout(timeLimitMs);
    try {
      return await exchange(agent, url, post, post.signal ? AbortSignal.any([limit, post.signal]) : limit);
    } catch (error) {
      if (limit.aborted) return failed(`Timeout: no answer within ${timeLimitMs / 1_000} seconds`);
      return failed(post.signal?.aborted ? 'The attempt was broken off' : describeFailure(error));
    }
  };

  return {
    post: async (post) => {
      const start = performance.now();
      const outcome = await attempt(post);
      return { ...outcome, durationMs: Math.round(performance.now() - start) };
    },
    close: () => agent.destroy(),
  };
};
