import type { WaitingTransactionKind } from '#inbox';
import type { OperatorTransactionBody } from '../../../transactions/transaction-bodies.ts';
import { timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';

/** Of a player who did not ask to be shown: enough to tell two apart. */
const masked = (email: string | null): string => email?.replace(/^(.).*(@.*)$/, '$1…$2') ?? '–';

/** As the inbox counts them. */
const WAITING: readonly WaitingTransactionKind[] = ['transaction_flagged', 'transaction_unconfirmed'];

const spec: ListSpec<OperatorTransactionBody> = {
  title: 'Older transactions',
  page: '/transactions',
  route: '/operator/transactions',
  items: 'transactions',
  keyOf: ({ transaction_id }) => transaction_id,
  filters: [
    { name: 'transaction_id', label: 'Transaction (id)' },
    { name: 'affiliate_id', label: 'Affiliate (id)' },
    {
      name: 'status',
      label: 'Status',
      words: ['Started', 'Pending', 'Confirmed', 'Succeeded', 'Timedout', 'Cancelled'],
    },
    { name: 'flagged', label: 'Flagged', words: ['true'] },
    { name: 'waiting', label: 'In the inbox as', words: WAITING },
  ],
  columns: [
    { head: 'Transaction', text: ({ transaction_id }) => String(transaction_id) },
    timeColumn('Created', ({ created_at }) => created_at),
    { head: 'Affiliate', text: ({ affiliate_id }) => String(affiliate_id) },
    { head: 'E-mail', text: ({ email }) => masked(email) },
    { head: 'Label', text: ({ label }) => label },
    {
      head: 'Asked',
      text: ({ crypto_amount, crypto_currency }) => `${crypto_amount} ${crypto_currency}`,
      numeric: true,
    },
    { head: 'Confirmed', text: ({ confirmed_crypto }) => String(confirmed_crypto ?? '–'), numeric: true },
    { head: 'Status', text: ({ status }) => status },
    { head: 'Flags', text: ({ flags }) => flags.join(', ') || '–' },
  ],
};

export const Transactions = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
