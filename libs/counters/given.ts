import type { TakenAddress } from '#addresses';
import { depositEventOf, type GivenIds } from '#deposit-commands';
import type { FastLaneEvent } from '#deposits/fast-lane';
import type { RecordedEvent } from '#event-log';
import type { TransactionStarted } from '#legacy-transactions';
import type { AccountIds } from '#partners';

/** What an event shows to have been given out. */
export type Given = GivenIds & AccountIds & { readonly address?: TakenAddress };

/** Every type of event that gives a number or an address for the first time. */
export const GIVING = [
  'QuoteIssued',
  'AddressAssigned',
  'FastLaneEntered',
  'DepositReturned',
  'LegacyTransactionStarted',
];

const ofTransaction = ({ data }: RecordedEvent): Given => {
  const { transactionId, affiliateId, currency, wallet } = (data as unknown as TransactionStarted['data']).terms;
  return {
    transactionId,
    affiliateId,
    address: { currency, address: wallet, column: 'transaction_id', id: transactionId },
  };
};

type Entered = Extract<FastLaneEvent, { readonly type: 'FastLaneEntered' }>;

type Terms = Entered['data']['opening']['data']['terms'];

const ofTerms = ({ depositId, transactionId, affiliateId, entityId }: Terms): Given => ({
  ...{ depositId, transactionId, affiliateId, entityId },
});

const ofLane = ({ data }: RecordedEvent): Given => ofTerms((data as unknown as Entered['data']).opening.data.terms);

const ofDeposit = (recorded: RecordedEvent): Given => {
  const event = depositEventOf(recorded);
  switch (event.type) {
    case 'QuoteIssued':
      return ofTerms(event.data.terms);
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

const byType = (event: RecordedEvent): Given => {
  if (event.type === 'LegacyTransactionStarted') return ofTransaction(event);
  return event.type === 'FastLaneEntered' ? ofLane(event) : ofDeposit(event);
};

/** As the door calls who holds it. */
const API_KEY = /^api key ([0-9]{1,15})$/;

export const givenIn = (event: RecordedEvent): Given => {
  const apiKeyId = Number(API_KEY.exec(event.metadata.actor ?? '')?.[1] ?? 0);
  return { ...byType(event), apiKeyId };
};
