import type { KeptSignalBody } from '../../../engine/kept-signals-body.ts';
import { timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';
import type { Column } from '../parts/table.tsx';
import { linkTo } from '../router.ts';

const payloadText = ({ payload }: KeptSignalBody): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);

export const signalColumns: readonly Column<KeptSignalBody>[] = [
  { head: 'Signal', text: ({ signal_id }) => signal_id },
  timeColumn('Taken', ({ taken_at }) => taken_at),
  { head: 'Type', text: ({ type }) => type ?? '–' },
  {
    head: 'Deposit',
    text: ({ deposit_id, transaction_id }) => String(deposit_id ?? transaction_id ?? '–'),
    cell: ({ deposit_id, transaction_id }) =>
      deposit_id === null ? (transaction_id ?? '–') : <a href={linkTo(`/deposits/${deposit_id}`)}>{deposit_id}</a>,
  },
  {
    head: 'Outcome',
    text: ({ outcome }) => outcome ?? 'under way',
    cell: ({ outcome }) => <span class={outcome === 'rejected' ? 'problem' : ''}>{outcome ?? 'under way'}</span>,
  },
  { head: 'Reason', text: ({ detail }) => detail ?? '–' },
  {
    head: 'As it was sent',
    text: payloadText,
    cell: (row) => (
      <details>
        <summary>{`Signal ${row.signal_id}`}</summary>
        <pre>{payloadText(row)}</pre>
      </details>
    ),
  },
];

const spec: ListSpec<KeptSignalBody> = {
  title: 'Signals',
  page: '/signals',
  route: '/operator/signals',
  items: 'signals',
  keyOf: ({ signal_id }) => signal_id,
  filters: [
    { name: 'deposit_id', label: 'Deposit' },
    { name: 'transaction_id', label: 'Older transaction' },
    { name: 'outcome', label: 'Outcome', words: ['applied', 'ignored', 'rejected'] },
    { name: 'days', label: 'Of the last days' },
    { name: 'failing', label: 'Kept back by a fault', words: ['true'] },
    { name: 'without_place', label: 'Payments without a place', words: ['true'] },
  ],
  columns: signalColumns,
};

export const Signals = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
