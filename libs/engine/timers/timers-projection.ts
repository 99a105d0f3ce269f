import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { DepositEvent, FactEvent, QuoteIssued } from '#deposits';
import { insertRow, type Projection, type RowChange, updateRow, upsertRow } from '#read-models';

export type TimerKind = 'expiry' | 'ofac_deadline';

const keyOf = (depositId: number, kind: TimerKind) => ({ deposit_id: depositId, kind });

const issued = ({ terms }: QuoteIssued['data'], revision: number): RowChange =>
  insertRow('timers', keyOf(terms.depositId, 'expiry'), {
    due_at: terms.expiresAt,
    waiting: true,
    armed_by: revision,
  });

/** Expiry changes something while the deposit is Pending, and a deposit whose payments are gone is so again. */
const expiry = ({ deposit, changes }: FactEvent['data'], revision: number): readonly RowChange[] => {
  if (changes.status === undefined) return [];
  const waiting = changes.status === 'Pending';
  return [updateRow('timers', keyOf(deposit.depositId, 'expiry'), { waiting, ...(waiting && { armed_by: revision }) })];
};

/** A new deadline comes with every new funding address, and goes with the answer. */
const ofacDeadline = ({ deposit, changes }: FactEvent['data'], revision: number): readonly RowChange[] => {
  const key = keyOf(deposit.depositId, 'ofac_deadline');
  const armed = { waiting: true, armed_by: revision };
  if (typeof changes.ofacDeadlineAt === 'string')
    return [upsertRow('timers', key, { due_at: changes.ofacDeadlineAt, ...armed })];
  if (changes.ofacStatus === undefined) return [];
  // Pending again with the deadline that it had: the new address was seen at the very time of the last one.
  return [updateRow('timers', key, changes.ofacStatus === 'pending' ? armed : { waiting: false })];
};

const rowsOf = (event: DepositEvent, revision: number): readonly RowChange[] => {
  if (event.type === 'QuoteIssued') return [issued(event.data, revision)];
  if (event.type === 'AddressAssigned') return [];
  return [...expiry(event.data, revision), ...ofacDeadline(event.data, revision)];
};

/**
 * What every deposit has to wait for. A row waits exactly while its signal would change something, so an event of the
 * deposit itself ends it: nobody has to mark it as rung.
 */
export const timersProjection: Projection = {
  name: 'timers',
  version: 1,
  proves: { prefix: depositStreamPrefix },
  filter: { streamPrefixes: [depositStreamPrefix] },
  project: (event) => rowsOf(depositEventOf(event), event.revision),
};
