import { readSignal } from '../signals/read-signal.ts';
import type { Target } from '../signals/target.ts';

/** A signal that can be read, as it was sent, with what it is about. */
export type Named = { readonly raw: unknown; readonly signalId: string; readonly subject: string };

const subjectOf = (target: Target): string => {
  if (target.by === 'address') return `address ${target.address}`;
  return 'depositId' in target.subject
    ? `deposit ${target.subject.depositId}`
    : `transaction ${target.subject.transactionId}`;
};

/** Undefined when it cannot be read: then it is rejected, and fails at nothing of ours. */
export const namedOf = (raw: unknown): Named | undefined => {
  const read = readSignal(raw, new Date().toISOString());
  return read.kind === 'readable' ? { raw, signalId: read.signalId, subject: subjectOf(read.target) } : undefined;
};
