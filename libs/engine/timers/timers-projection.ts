import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { DepositEvent, FactEvent, QuoteIssued } from '#deposits';
import { deleteRow, insertRow, type Projection, type RowChange, upsertRow } from '#read-models';
import { LOOKED_UP } from './looked-up.ts';

export type TimerKind = 'expiry' | 'ofac_deadline';

const keyOf = (depositId: number, kind: TimerKind) => ({ deposit_id: depositId, kind });

const waits = (due_at: string, revision: number) => ({ due_at, waiting: true, armed_by: revision });

const issued = ({ terms }: QuoteIssued['data'], revision: number): RowChange =>
  insertRow('timers', keyOf(terms.depositId, 'expiry'), waits(terms.expiresAt, revision));

/**
 * Expiry changes something while the deposit is Pending, and a deposit whose payments are gone is so again. When it
 * expires stands in its quote alone, and is looked up there.
 */
const expiry = ({ deposit, changes }: FactEvent['data'], revision: number): readonly RowChange[] => {
  if (changes.status === undefined) return [];
  const key = keyOf(deposit.depositId, 'expiry');
  return [
    changes.status === 'Pending' ? upsertRow('timers', key, waits(LOOKED_UP, revision)) : deleteRow('timers', key),
  ];
};

/** A new deadline comes with every new funding address, and goes with the answer. */
const ofacDeadline = ({ deposit, changes }: FactEvent['data'], revision: number): readonly RowChange[] => {
  const key = keyOf(deposit.depositId, 'ofac_deadline');
  if (typeof changes.ofacDeadlineAt === 'string')
    return [upsertRow('timers', key, waits(changes.ofacDeadlineAt, revision))];
  if (changes.ofacStatus === undefined) return [];
  // Pending again with the deadline that it had: the new address was seen at the very time of the last one.
  return [
    changes.ofacStatus === 'pending' ? upsertRow('timers', key, waits(LOOKED_UP, revision)) : deleteRow('timers', key),
  ];
};

const rowsOf = (event: DepositEvent, revision: number): readonly RowChange[] => {
  if (event.type === 'QuoteIssued') return [issued(event.data, revision)];
  if (event.type === 'AddressAssigned') return [];
  return [...expiry(event.data, revision), ...ofacDeadline(event.data, revision)];
};

/**
 * What every deposit has to wait for. A row is there exactly while its signal would change something, so an event of the
 * deposit itself ends it: nobody has to mark it as rung, and nothing that is done is kept.
 */
export const timersProjection: Projection = {
  name: 'timers',
  version: 2,
  proves: { prefix: depositStreamPrefix },
  // Whoever rings looks every half second.
  everyMs: 100,
  filter: { streamPrefixes: [depositStreamPrefix] },
  project: (event) => rowsOf(depositEventOf(event), event.revision),
};
