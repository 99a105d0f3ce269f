import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { RecordedEvent } from '#event-log';
import { insertRow, type RowChange, updateRow } from '../changes/row-change.ts';
import type { Projection } from '../projection.ts';
import { alertColumns, factColumns, openingColumns } from './columns.ts';
import { decided, opened } from './totals.ts';

const project = (recorded: RecordedEvent): readonly RowChange[] => {
  const event = depositEventOf(recorded);
  const place = {
    revision: recorded.revision,
    hash: recorded.metadata.hash,
    updated_at: recorded.recordedAt.toISOString(),
  };
  if (event.type === 'QuoteIssued') {
    const { terms, standing } = event.data;
    return [
      insertRow('deposits', { id: terms.depositId }, { ...openingColumns(event), ...place }),
      opened(terms, standing.decision),
    ];
  }
  const key = { id: event.data.deposit.depositId };
  if (event.type === 'AddressAssigned') return [updateRow('deposits', key, { wallet: event.data.address, ...place })];
  const by = event.data.changes.decision === undefined ? {} : { decided_by: recorded.metadata.actor ?? null };
  const columns = { ...factColumns(event), ...alertColumns(event, place.updated_at), ...by, ...place };
  return [updateRow('deposits', key, columns), ...decided(event)];
};

/**
 * Every deposit as partners and operators read it, and their kept totals. It has no filter on the log, since a list
 * waits for the log's head: a filtered subscription of EventStoreDB is told only now and then that it has passed
 * over the events of others.
 */
export const depositsProjection: Projection = {
  name: 'deposits',
  version: 6,
  proves: { prefix: depositStreamPrefix, table: 'deposits' },
  project: (recorded) => (recorded.stream.startsWith(depositStreamPrefix) ? project(recorded) : []),
};
