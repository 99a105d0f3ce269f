import type pg from 'pg';
import type { ApplySignals } from '#deposit-commands';
import type { SignalOutcome } from '#deposits';
import type { EventLog } from '#event-log';
import type { ApplyTransactionSignals } from '#legacy-commands';
import type { Logger } from '#platform/logging';
import type { Subject } from '../signals/target.ts';

/** What taking signals needs of the house. */
export type TakeParts = {
  readonly pool: pg.Pool;
  readonly applySignals: ApplySignals;
  /** Those about transactions of the older interface. */
  readonly applyToTransaction: ApplyTransactionSignals;
  /** To find what an instance that died set aside. */
  readonly log: Pick<EventLog, 'read'>;
  /** Whether the log is in the same Postgres; default: no. */
  readonly logIsBeside?: boolean;
  readonly ownerOfAddress: (address: string) => Promise<Subject | undefined>;
  readonly logger: Logger;
  readonly now?: () => Date;
};

export type SignalAnswer = {
  readonly signal_id: string | null;
  readonly outcome: SignalOutcome['outcome'];
  readonly detail: string | null;
};

export const duplicate = (signalId: string): SignalAnswer => ({
  signal_id: signalId,
  outcome: 'duplicate',
  detail: null,
});
