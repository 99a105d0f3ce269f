import type { WaitingTransactionKind } from '#inbox';
import type { OperatorTransactionBody } from '../../../transactions/transaction-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
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

type SettleProps = { readonly of: OperatorTransactionBody; readonly onDone: () => void };

/** What covers its price has succeeded by itself: what is left as confirmed is paid in part. */
const Settle = ({ of, onDone }: SettleProps) => {
  const { transaction_id: id, status, confirmed_crypto, crypto_amount, crypto_currency: coin } = of;
  if (status !== 'Confirmed' || confirmed_crypto === null) return null;
  return (
    <Act
      needs="settleTransaction"
      text="Settle"
      label={`Settle transaction ${id}`}
      ask={{
        title: `Settle transaction ${id} for less than its price`,
        label: 'Settle it',
        dangerous: true,
        children: (
          <>
            <p>
              Now: <strong>Confirmed</strong>, with{' '}
              <strong>
                {confirmed_crypto} of {crypto_amount} {coin}
              </strong>
              . Then: <strong>Succeeded</strong> with that, for good.
            </p>
            <p>The partner is told so (transaction.succeed) and credits that much; what comes later is flagged.</p>
          </>
        ),
        act: (reason) => {
          const body = { note: reason, confirmed_crypto };
          return call(`/operator/transactions/${id}/settle`, { method: 'POST', reason, body }).then(onDone);
        },
      }}
    />
  );
};

export const Transactions = ({ query }: { query: Query }) => (
  <ListPage spec={spec} query={query} rowActs={(row, onDone) => <Settle of={row} onDone={onDone} />} />
);
