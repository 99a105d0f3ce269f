import { Int, List, Num, SentDigits, SentNum, SentText, SentWord, Text, Time, Word, Words } from '#door/fields';
import { AffiliatePageQuery, numberIn, PageBody, pageIn } from '#door/lists';
import { type WaitingTransactionKind, waitingTransactionKinds } from '#inbox';
import {
  type TransactionFlag,
  type TransactionStatus,
  transactionFlags,
  transactionStatuses,
} from '#legacy-transactions';
import { type LegacyCurrency, legacyCurrencies } from '#money';
import type { TransactionFilters } from '#read-models/legacy-transactions';
import { AsOf, MayBeStale } from '../http/stale.ts';

const flags = ['true', 'false'] as const;

export class TransactionsQuery extends AffiliatePageQuery {
  @SentDigits.optional('One alone', '1021')
  transaction_id?: string;

  @SentWord.optional(transactionStatuses, 'Those of one status')
  status?: TransactionStatus;

  @SentWord.optional(legacyCurrencies, 'Those of one currency')
  currency?: LegacyCurrency;

  @MayBeStale()
  stale?: 'allow';

  @SentWord.optional(flags, 'true: those that have to be looked at; false: the others')
  flagged?: (typeof flags)[number];

  @SentWord.optional(waitingTransactionKinds, 'Those that the inbox counts')
  waiting?: WaitingTransactionKind;
}

export const filtersIn = (query: TransactionsQuery): TransactionFilters => ({
  ...pageIn(query),
  transactionId: numberIn(query.transaction_id),
  affiliateId: numberIn(query.affiliate_id),
  status: query.status,
  currency: query.currency,
  stale: query.stale !== undefined,
  flagged: query.flagged === undefined ? undefined : query.flagged === 'true',
});

export class OperatorTransactionBody {
  @Int('Of the transaction', 1021)
  transaction_id!: number;

  @Int('Whose it is', 3)
  affiliate_id!: number;

  @Text.orNull('Of whoever pays; null once erased', null)
  email!: string | null;

  @Text('The label', 'order 12')
  description!: string;

  @Text('As the partner sent it', 'order 12')
  label!: string;

  @Text('Where to pay', 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5')
  wallet_address!: string;

  @Word(legacyCurrencies, 'Of the payment', 'DASH')
  crypto_currency!: LegacyCurrency;

  @Num('What has to be paid', 3.33333334)
  crypto_amount!: number;

  @Num.orNull('What is there; null: nothing', 3.33333334)
  confirmed_crypto!: number | null;

  @Num('What that was in USD', 100)
  usd_amount!: number;

  @Text('Decimal string: USD a coin', '30')
  market_rate!: string;

  @Word(transactionStatuses, 'How far it is', 'Pending')
  status!: TransactionStatus;

  @Words(transactionFlags, 'What an operator has to look at', ['late_payment'])
  flags!: TransactionFlag[];

  @Text.orNull('The batch that settled it', null)
  settlement_batch_id!: string | null;

  @Time('When it was made', '2026-01-01T00:00:00.000Z')
  created_at!: string;

  @Time('Until when it waits', '2026-01-01T00:15:00.000Z')
  times_out_at!: string;

  @Time('When its last event was recorded', '2026-01-01T00:04:00.000Z')
  updated_at!: string;
}

export class TransactionsBody extends PageBody {
  @List(OperatorTransactionBody, 'Newest first')
  transactions!: readonly OperatorTransactionBody[];

  @AsOf()
  as_of?: string;
}

export class SettleBody {
  @SentText.orNull('Why', 'agreed by phone', { max: 1_000 })
  note?: string | null;

  @SentNum.optional(
    'What was there when it was looked at: refused where more or less is there now. Left out: however much is there; of what a second person approved, as much as when it was asked for',
    3.2,
    { min: 0 },
  )
  confirmed_crypto?: number;
}
