import { depositDecisions, kytStatuses, ofacStatuses, paymentStatuses } from '#deposits';
import type { DepositBody } from '#door/deposits';
import type { WaitingKind } from '#inbox';
import { currencies } from '#money';
import { linkColumn, timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec } from '../parts/list-page.tsx';

/** As the inbox counts them. */
const WAITING: readonly WaitingKind[] = [
  'lost_after_accept',
  'ofac_hit',
  'address_missing',
  'kyt_review',
  'payment_after_decision',
  'payment_unconfirmed',
  'settlement_waiting',
];

const spec: ListSpec<DepositBody> = {
  title: 'Deposits',
  page: '/deposits',
  route: '/operator/deposits',
  items: 'deposits',
  keyOf: ({ id }) => id,
  filters: [
    { name: 'entity_id', label: 'Casino (id)' },
    { name: 'gambler_ref', label: 'Player' },
    { name: 'status', label: 'Status', words: paymentStatuses },
    { name: 'decision', label: 'Decision', words: depositDecisions },
    { name: 'currency', label: 'Currency', words: currencies },
    { name: 'kyt_status', label: 'KYT', words: kytStatuses },
    { name: 'ofac_status', label: 'OFAC', words: ofacStatuses },
    { name: 'waiting', label: 'In the inbox as', words: WAITING },
    { name: 'actor', label: 'Decided by (api key 7)' },
    { name: 'from', label: 'From (UTC, 2026-01-31T12:00:00Z)' },
    { name: 'to', label: 'To' },
  ],
  columns: [
    linkColumn('Deposit', '/deposits', ({ id }) => id),
    timeColumn('Created', ({ created_at }) => created_at),
    { head: 'Casino', text: ({ entity_id }) => String(entity_id) },
    { head: 'Player', text: ({ gambler_ref }) => gambler_ref },
    { head: 'Quote', text: ({ crypto_amount, currency }) => `${crypto_amount} ${currency}`, numeric: true },
    { head: 'USD', text: ({ usd_amount }) => String(usd_amount), numeric: true },
    { head: 'Status', text: ({ status }) => status },
    { head: 'Decision', text: ({ decision }) => decision },
    { head: 'KYT', text: ({ kyt_status }) => kyt_status ?? '–' },
    { head: 'OFAC', text: ({ ofac_status }) => ofac_status },
  ],
};

export const Deposits = ({ query }: { query: Readonly<Record<string, string>> }) => (
  <ListPage spec={spec} query={query} />
);
