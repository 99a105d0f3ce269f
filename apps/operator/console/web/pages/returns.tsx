import type { QueuedReturnBody } from '../../../engine/returns-body.ts';
import { linkColumn, timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';
import type { Column } from '../parts/table.tsx';

const stateText = ({ state, held_because, unfunded_because }: QueuedReturnBody): string => {
  const why = [held_because, unfunded_because && `payment ${unfunded_because}`].filter(Boolean);
  return why.length > 0 ? `${state}: ${why.join(', ')}` : state;
};

export const returnColumns: readonly Column<QueuedReturnBody>[] = [
  { head: 'Return', text: ({ return_id }) => String(return_id) },
  timeColumn('Queued', ({ queued_at }) => queued_at),
  linkColumn('Deposit', '/deposits', ({ deposit_id }) => deposit_id),
  { head: 'Casino', text: ({ entity_id }) => String(entity_id) },
  { head: 'Amount', text: ({ amount, currency }) => `${amount} ${currency}`, numeric: true },
  { head: 'To', text: ({ address }) => address },
  { head: 'State', text: stateText },
  { head: 'Transaction', text: ({ last_txid }) => last_txid ?? '–' },
];

const spec: ListSpec<QueuedReturnBody> = {
  title: 'Returns',
  page: '/returns',
  route: '/operator/returns',
  items: 'returns',
  keyOf: ({ return_id }) => return_id,
  filters: [
    { name: 'deposit_id', label: 'Deposit' },
    { name: 'entity_id', label: 'Casino (id)' },
    { name: 'state', label: 'State', words: ['queued', 'broadcast', 'held'] },
    { name: 'unfunded', label: 'Payments not there', words: ['true'] },
  ],
  columns: returnColumns,
};

export const Returns = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
