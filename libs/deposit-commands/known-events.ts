import {
  type DepositEvent,
  depositEventVersions,
  type OutputTaken,
  outputTakenVersions,
  type SignalSetAside,
  signalSetAsideVersions,
} from '#deposits';
import { type FastLaneEvent, fastLaneEventVersions } from '#deposits/fast-lane';
import type { KnownEvents } from '#event-log';
import { type TransactionEvent, transactionEventVersions } from '#legacy-transactions';

/** Everything that is written to the log. */
export type Written = DepositEvent | FastLaneEvent | TransactionEvent | SignalSetAside | OutputTaken;

/** In which shape it is written. */
export const versions = {
  ...depositEventVersions,
  ...fastLaneEventVersions,
  ...transactionEventVersions,
  ...signalSetAsideVersions,
  ...outputTakenVersions,
} as const satisfies Record<Written['type'], number>;

/** What the product's log is opened with: every shape that this release can read. */
export const knownEvents: KnownEvents = { versions, upcasters: [] };
