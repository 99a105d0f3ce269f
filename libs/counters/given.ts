import type { TakenAddress } from '#addresses';
import { depositEventOf, type GivenIds } from '#deposit-commands';
import type { FastLaneEvent } from '#deposits/fast-lane';
import type { RecordedEvent } from '#event-log';
import type { TransactionStarted } from '#legacy-transactions';

/** What an event shows to have been given out. */
export type Given = GivenIds & { readonly address?: TakenAddress };

/** Every type of event that gives a number or an address for the first time. */
export const GIVING = [
  'QuoteIssued',
  'AddressAssigned',
  'FastLaneEntered',
  'DepositReturned',
  'LegacyTransactionStarted',
];

const ofTransaction = ({ data }: RecordedEvent): Given => {
  const { transactionId, currency, wallet } = (data as unknown as TransactionStarted['data']).terms;
  return { transactionId, address: { currency, address: wallet, column: 'transaction_id', id: transactionId } };
};

type Entered = Extract<FastLaneEvent, { readonly type: 'FastLaneEntered' }>;

const ofLane = ({ data }: RecordedEvent): Given => {
  const { depositId, transactionId } = (data as unknown as Entered['data']).opening.data.terms;
  return { depositId, transactionId };
};

const ofDeposit = (recorded: RecordedEvent): Given => {
  const event = depositEventOf(recorded);
  switch (event.type) {
    case 'QuoteIssued':
      return { depositId: event.data.terms.depositId, transactionId: event.data.terms.transactionId };
    case 'AddressAssigned': {
      const { depositId, currency } = event.data.deposit;
      return { address: { currency, address: event.data.address, column: 'deposit_id', id: depositId } };
    }
    case 'DepositReturned':
      return { returnId: event.data.returnId };
    default:
      return {};
  }
};

export const givenIn = (event: RecordedEvent): Given => {
  if (event.type === 'LegacyTransactionStarted') return ofTransaction(event);
  return event.type === 'FastLaneEntered' ? ofLane(event) : ofDeposit(event);
};
