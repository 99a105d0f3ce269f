import type pg from 'pg';
import type { ApplySignals } from '#deposit-commands';
import type { SignalOutcome } from '#deposits';
import type { EventLog, Position } from '#event-log';
import type { Logger } from '#platform/logging';

/** What taking signals needs of the house. */
export type TakeParts = {
  readonly pool: pg.Pool;
  readonly applySignals: ApplySignals;
  /** To find what an instance that died set aside. */
  readonly log: Pick<EventLog, 'read'>;
  readonly depositOfAddress: (address: string) => Promise<number | undefined>;
  /** Whether the reads show the position within that time. */
  readonly untilVisible: (position: Position, withinMs: number) => Promise<boolean>;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** How long an answer waits for the reads; past it a read folds the deposit itself. Default 5 s. */
  readonly visibleWithinMs?: number;
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
