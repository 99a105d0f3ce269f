import type { Deposit } from '#deposits';
import type { Position } from '#event-log';

/** A deposit after a command that was applied, and where in the log that stands. */
export type Decided = { readonly outcome: 'applied'; readonly deposit: Deposit; readonly position: Position };

/** There is no such deposit, or none that this caller may see. */
export type NotFound = { readonly outcome: 'not_found' };

/** Too many calls at once: nothing was recorded. */
export type Busy = { readonly outcome: 'busy' };

export const notFound: NotFound = { outcome: 'not_found' };
export const busy: Busy = { outcome: 'busy' };
