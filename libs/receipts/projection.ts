import { depositEventOf, depositStreamPrefix } from '#deposit-commands';
import type { DepositAccepted, QuoteIssued } from '#deposits';
import type { RecordedEvent } from '#event-log';
import { insertRow, type Projection, type RowChange } from '#read-models';

const contactOf = ({ terms }: QuoteIssued['data']): RowChange =>
  insertRow(
    'receipt_contacts',
    { deposit_id: terms.depositId },
    { contact_ref: terms.contactRef, gambler_ref: terms.gamblerRef, currency: terms.currency },
  );

/** The event's id names the receipt: whatever is repeated, the player reads it once. */
const receiptOf = ({ id, position }: RecordedEvent, { deposit, amounts, at }: DepositAccepted['data']): RowChange =>
  insertRow(
    'receipts_due',
    { deposit_id: deposit.depositId },
    {
      event_id: id,
      position,
      player_amount: amounts.playerAmount,
      crypto_amount: amounts.cryptoAmount,
      accepted_at: at,
    },
  );

const project = (recorded: RecordedEvent): readonly RowChange[] => {
  const event = depositEventOf(recorded);
  if (event.type === 'QuoteIssued') return [contactOf(event.data)];
  return event.type === 'DepositAccepted' ? [receiptOf(recorded, event.data)] : [];
};

/** What receipts are due, live and test alike. Never delays a decision, and never loses a receipt: it follows the log. */
export const receiptsProjection: Projection = {
  name: 'receipts',
  version: 1,
  proves: { prefix: depositStreamPrefix },
  everyMs: 100,
  filter: { streamPrefixes: [depositStreamPrefix] },
  project,
};

/** All that it writes: for those who run it, and rebuild it. A receipt that is found due again is the same message. */
export const receiptsTables = ['receipt_contacts', 'receipts_due'] as const;
