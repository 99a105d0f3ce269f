import { type DepositState, evolve, initialState } from '#deposits';
import type { EventLog, Position } from '#event-log';
import { depositEventOf } from '../load.ts';
import type { Decided } from '../outcome.ts';
import { LONG } from '../shared-log.ts';
import { depositStream } from '../streams.ts';

/** Both come first in a stream, save for signals that were quicker than the address. */
const isOfOpening = (type: string): boolean => type === 'QuoteIssued' || type === 'AddressAssigned';

const hasAddress = (state: DepositState): boolean => state.stage === 'issued' && state.address !== null;

/**
 * A deposit as it was when it was made, whatever has happened to it since: what a create call answers. Undefined
 * while no such deposit was written.
 */
export const readOpening = async (log: Pick<EventLog, 'read'>, depositId: number): Promise<Decided | undefined> => {
  let state: DepositState = initialState;
  let position: Position | undefined;
  for await (const event of log.read(depositStream(depositId))) {
    if (isOfOpening(event.type)) {
      state = evolve(state, depositEventOf(event));
      position = event.position;
    }
    // What is no longer than others is proven to its end; of a long history this is all that is asked for.
    if (event.revision >= LONG - 1 && hasAddress(state)) break;
  }
  return state.stage === 'none' || position === undefined
    ? undefined
    : { outcome: 'applied', deposit: state, position };
};
