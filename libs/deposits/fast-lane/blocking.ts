import type { Deposit } from '../floor/state.ts';
import { type Instant, isAfter } from '../floor/time.ts';
import type { PaymentStatus } from '../floor/words.ts';
import { isConfirmedStatus } from '../standing/status.ts';

export type Hold =
  | { readonly blocks: true; readonly status: PaymentStatus; readonly paid: boolean }
  | { readonly blocks: false; readonly because: 'confirmed' | 'expired' };

/** Unpaid and unexpired, or paid and not yet confirmed: the lane is taken. */
export const holdOf = ({ standing: { status }, terms }: Deposit, now: Instant): Hold => {
  if (isConfirmedStatus(status) || status === 'Refund') return { blocks: false, because: 'confirmed' };
  if (status === 'Timedout') return { blocks: false, because: 'expired' };
  if (status !== 'Pending') return { blocks: true, status, paid: true };
  return isAfter(now, terms.expiresAt) ? { blocks: false, because: 'expired' } : { blocks: true, status, paid: false };
};
