import type { EndpointsBody } from '../../../deliveries/endpoint-bodies.ts';
import { timeColumn } from '../parts/columns.tsx';
import { useLoad } from '../parts/load.ts';
import { Table } from '../parts/table.tsx';
import { useCan } from '../session/session.ts';

type Endpoint = EndpointsBody['endpoints'][number];

/** Endpoints that fail now, and what waits for them: nothing where all is well. */
export const FailingEndpoints = () => {
  const can = useCan();
  const route = '/operator/webhook-endpoints?state=failing';
  const { data } = useLoad<EndpointsBody>(can('listWebhookEndpoints') ? route : undefined, { every: 5_000 });
  if (!data || data.endpoints.length === 0) return null;
  return (
    <Table
      caption="Endpoints that fail now"
      rows={data.endpoints}
      keyOf={({ endpoint }) => endpoint}
      columns={[
        { head: 'Endpoint', text: ({ endpoint }) => endpoint },
        timeColumn<Endpoint>('Fails since', ({ failing_since }) => failing_since),
        { head: 'Last answer', text: ({ last_failure }) => last_failure ?? '–' },
        { head: 'Waiting', text: ({ waiting }) => String(waiting), numeric: true },
        { head: 'Given up', text: ({ dead }) => String(dead), numeric: true },
        timeColumn<Endpoint>('Last success', ({ last_success_at }) => last_success_at),
        { head: 'URL', text: ({ url }) => url },
      ]}
    />
  );
};
