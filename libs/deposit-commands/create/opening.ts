import { type Deposit, type DepositState, evolve, initialState } from '#deposits';
import type { EventLog, Position } from '#event-log';
import { depositEventOf } from '../load.ts';
import { depositStream } from '../streams.ts';

/** A deposit as it was when it was made, whatever has happened to it since: what a create call answers. */
export type Opening = { readonly deposit: Deposit; readonly position: Position };

/** Both come first in a stream, save for signals that were quicker than the address. */
const isOfOpening = (type: string): boolean => type === 'QuoteIssued' || type === 'AddressAssigned';

/** Undefined while no such deposit was written. */
export const readOpening = async (log: Pick<EventLog, 'read'>, depositId: number): Promise<Opening | undefined> => {
  let state: DepositState = initialState;
  let position: Position | undefined;
  for await (const event of log.read(depositStream(depositId))) {
    if (!isOfOpening(event.type)) continue;
    state = evolve(state, depositEventOf(event));
    position = event.position;
  }
  return state.stage === 'none' || position === undefined ? undefined : { deposit: state, position };
};
