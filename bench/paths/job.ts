/** One call, as it goes over the wire. */
export type Asked = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Beside or instead of those of the job. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * What the process of the callers is told. With `perSecond` each call has its time and its wait is counted (an open
 * model); without, every caller asks again as soon as it was answered.
 */
export type Job = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly calls: readonly Asked[];
  readonly callers: number;
  readonly perSecond?: number;
};

export type Done = {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  /** When each call was sent, by the machine's clock. */
  readonly sentAt: readonly number[];
  /** In the order of the calls, as text. */
  readonly answers: readonly string[];
};
