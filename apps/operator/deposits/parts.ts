import type { EventLog } from '#event-log';
import type { WaitingKind } from '#inbox';
import type { Accounts } from '#partners';
import type { DepositReads } from '#read-models/deposits';

/** What the operator's routes about deposits need beside the CommandBus. */
export type OperatorDepositsParts = {
  readonly reads: Pick<
    DepositReads,
    'byId' | 'page' | 'settlement' | 'settlements' | 'stats' | 'untilVisible' | 'movedAt'
  >;
  readonly log: Pick<EventLog, 'read'>;
  readonly waiting: (kind: WaitingKind) => Promise<readonly number[]>;
  readonly namesOfActors: Accounts['namesOfActors'];
};

export const OPERATOR_DEPOSITS = Symbol('operator deposits');
