import type { DecimalText } from '#money';
import type { ScreeningAlarm } from './words.ts';

/** The queued return of a deposit, and the transactions that carried it. */
export type Refund = {
  readonly returnId: number;
  readonly returnAddress: string;
  readonly reason: string | null;
  readonly cryptoAmount: DecimalText;
  readonly progress: 'queued' | 'broadcast';
  readonly lastTxid: string | null;
  /** The alarms that an operator looked at and let the return go in spite of. */
  readonly released: readonly ScreeningAlarm[];
};
