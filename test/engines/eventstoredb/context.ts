import type { FaultState } from './faults.ts';
import type { Log } from './log/log.ts';
import type { Groups } from './persistent/groups.ts';
import type { Refusal } from './wire/refusals.ts';

/** What every handler works on. */
export type Context = {
  readonly log: Log;
  readonly faults: FaultState;
  readonly groups: Groups;
  /** How to end each call that would otherwise stay open. */
  readonly openCalls: Set<(reason: Refusal) => void>;
  /** First revisions of appends that are written and wait for their commit, by stream. */
  readonly uncommitted: Map<string, Set<number>>;
};
