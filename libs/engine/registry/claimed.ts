import { depositStream } from '#deposit-commands';
import { transactionStream } from '#legacy-commands';

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

/** The history of which it tells; undefined: of none. */
export const streamOf = ({ depositId, transactionId }: Claim): string | undefined => {
  if (depositId !== null) return depositStream(depositId);
  return transactionId === null ? undefined : transactionStream(transactionId);
};
