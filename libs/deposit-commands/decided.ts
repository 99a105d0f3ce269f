import type { Deposit } from '#deposits';
import type { Position } from '#event-log';

/** A deposit after a command that was applied, and where in the log that stands. */
export type Decided = { readonly deposit: Deposit; readonly position: Position };
