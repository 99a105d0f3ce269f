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

/** The normal shape: `{detail}`, some with a code and extra fields at the top level. */
export const shown = (status: number, detail: string, extras: ErrorExtras = {}, headers?: ErrorHeaders): ShownError =>
  new ShownError(status, detail, { detail, ...extras }, headers);
