import type { DeliveryBody } from '../../../deliveries/delivery-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { linkColumn, timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';
import type { Column } from '../parts/table.tsx';
import { timeText } from '../parts/time.tsx';
import { linkTo } from '../router.ts';
import { FailingEndpoints } from './endpoints.tsx';
import { Replay } from './replay.tsx';

type Attempt = DeliveryBody['attempts'][number];

const attemptText = ({ at, status_code, error, duration_ms }: Attempt): string =>
  `${timeText(at)}: ${status_code ?? error ?? 'no answer'} after ${duration_ms} ms`;

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => {
  const last = attempts.at(-1);
  if (!last) return <>none yet</>;
  if (attempts.length === 1) return <>{attemptText(last)}</>;
  return (
    <details>
      <summary>{`${attempts.length}, last ${attemptText(last)}`}</summary>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.at}>{attemptText(attempt)}</li>
        ))}
      </ol>
    </details>
  );
};

const Redeliver = ({ delivery: { id, event, url } }: { delivery: DeliveryBody }) => (
  <Act
    needs="redeliverWebhook"
    text="Again"
    label={`Send delivery ${id} again`}
    ask={{
      title: `Send delivery ${id} again`,
      label: 'Send it again',
      children: (
        <p>
          One webhook, <strong>{event}</strong>, with the same X-Webhook-Id, to the URL that is configured now (last:{' '}
          {url}).
        </p>
      ),
      act: () => call(`/operator/webhook-deliveries/${id}/redeliver`, { method: 'POST' }),
    }}
  />
);

const aboutOf = ({ deposit_id, transaction_id }: DeliveryBody): string =>
  deposit_id === null ? `transaction ${transaction_id}` : String(deposit_id);

export const deliveryColumns: readonly Column<DeliveryBody>[] = [
  linkColumn('Delivery', '/deliveries', ({ id }) => id),
  timeColumn('Due since', ({ created_at }) => created_at),
  { head: 'Event', text: ({ event }) => event },
  {
    head: 'Deposit',
    text: aboutOf,
    cell: (row) =>
      row.deposit_id === null ? aboutOf(row) : <a href={linkTo(`/deposits/${row.deposit_id}`)}>{row.deposit_id}</a>,
  },
  { head: 'Casino', text: ({ entity_id }) => String(entity_id ?? '–') },
  { head: 'URL', text: ({ url }) => url },
  {
    head: 'Status',
    text: ({ status }) => status,
    cell: ({ status }) => <span class={status === 'dead' ? 'problem' : ''}>{status}</span>,
  },
  {
    head: 'Attempts',
    text: ({ attempts }) => attempts.map(attemptText).join('; '),
    cell: ({ attempts }) => <Attempts attempts={attempts} />,
  },
  timeColumn('Again at', ({ next_attempt_at }) => next_attempt_at),
  { head: 'Act', text: () => '', cell: (delivery) => <Redeliver delivery={delivery} /> },
];

const spec: ListSpec<DeliveryBody> = {
  title: 'Deliveries',
  page: '/deliveries',
  route: '/operator/webhook-deliveries',
  items: 'deliveries',
  keyOf: ({ id }) => id,
  filters: [
    { name: 'deposit_id', label: 'Deposit' },
    { name: 'entity_id', label: 'Casino (id)' },
    { name: 'transaction_id', label: 'Older transaction' },
    { name: 'status', label: 'Status', words: ['pending', 'delivered', 'dead'] },
  ],
  columns: deliveryColumns,
  every: 2_000,
};

export const Deliveries = ({ query }: { query: Query }) => (
  <ListPage
    spec={spec}
    query={query}
    acts={
      <>
        <Replay />
        <FailingEndpoints />
      </>
    }
  />
);
