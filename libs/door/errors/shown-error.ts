/** What a `{detail}` answer may carry beside its detail; a code is there to be acted upon. */
export type ErrorExtras = { readonly code?: string } & Readonly<Record<string, string | number>>;

export type ErrorHeaders = Readonly<Record<string, string>>;

/**
 * An error that may be shown to whoever called. Anything else that is thrown is a fault of ours: it is logged, and
 * the caller reads `Internal server error`.
 */
export class ShownError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: ErrorHeaders;

  constructor(status: number, message: string, body: unknown, headers: ErrorHeaders = {}) {
    super(message);
    this.name = 'ShownError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** What is away for a moment: long enough for an election, short enough for a person who waits. */
export const RETRY_AFTER_SECONDS = 2;

const headersFor = (status: number): ErrorHeaders =>
  status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};

/** The normal shape: `{detail}`, some with a code and extra fields at the top level. Each 503 says when to come again. */
export const shown = (
  status: number,
  detail: string,
  extras: ErrorExtras = {},
  headers: ErrorHeaders = headersFor(status),
): ShownError => new ShownError(status, detail, { detail, ...extras }, headers);
