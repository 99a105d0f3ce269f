/** A signal_id that comes in, with what is kept of it for operators. */
export type Claim = {
  readonly signalId: string;
  readonly depositId: number | null;
  readonly transactionId: number | null;
  readonly type: string | null;
  readonly at: string | null;
  /** As it was sent. */
  readonly payload: string;
  /** Why it cannot be handled at all; null when it is to be handled. */
  readonly rejectedBecause: string | null;
};
