import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { DepositEvent, DepositReturned, FactEvent } from '#deposits';
import { insertRow, type Projection, type RowChange, updateRow } from '#read-models';
import type { ReturnState } from './list-returns.ts';

const queued = (data: DepositReturned['data']): RowChange =>
  insertRow(
    'returns',
    { deposit_id: data.deposit.depositId },
    {
      return_id: data.returnId,
      entity_id: data.deposit.entityId,
      currency: data.deposit.currency,
      address: data.returnAddress,
      amount: data.cryptoAmount,
      state: 'queued',
      queued_at: data.at,
    },
  );

const stateOf = (event: FactEvent): ReturnState | undefined => {
  if (event.type === 'RefundBroadcast') return 'broadcast';
  const because = event.data.changes.returnHeldBecause;
  if (because === undefined) return event.type === 'RefundDropped' ? 'queued' : undefined;
  return because === null ? 'queued' : 'held';
};

/** Only what was returned can be held or lack its payments, so whatever is so has its row already. */
const moved = (event: FactEvent): readonly RowChange[] => {
  const state = stateOf(event);
  const { returnHeldBecause: held, returnUnfundedBecause: unfunded } = event.data.changes;
  if (state === undefined && unfunded === undefined) return [];
  return [
    updateRow(
      'returns',
      { deposit_id: event.data.deposit.depositId },
      {
        ...(state !== undefined && { state }),
        ...(held !== undefined && { held_because: held }),
        ...(unfunded !== undefined && { unfunded_because: unfunded }),
        // Nothing is sent that is not there; a release before this one does not say so.
        ...(event.type === 'RefundBroadcast' && { last_txid: event.data.refundTxid, unfunded_because: null }),
      },
    ),
  ];
};

const rowsOf = (event: DepositEvent): readonly RowChange[] => {
  if (event.type === 'QuoteIssued' || event.type === 'AddressAssigned') return [];
  return event.type === 'DepositReturned' ? [queued(event.data)] : moved(event);
};

/**
 * The queue of returns. A return whose payments are not all there stays queued and says why; the deposit itself is asked
 * before anything is sent. Without a filter on the log, as the projection of deposits and for the same reason: lists wait
 * for the log's head.
 */
export const returnsProjection: Projection = {
  name: 'returns',
  version: 2,
  proves: { prefix: depositStreamPrefix },
  project: (event) => (event.stream.startsWith(depositStreamPrefix) ? rowsOf(depositEventOf(event)) : []),
};
