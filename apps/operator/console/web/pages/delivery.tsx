import type { DeliveryDetailBody } from '../../../deliveries/delivery-bodies.ts';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { deliveryColumns } from './deliveries.tsx';

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** One webhook: what is sent, why it goes where it goes, and what each attempt was answered. */
export const Delivery = ({ id }: { id: string }) => {
  const loaded = useLoad<DeliveryDetailBody>(`/operator/webhook-deliveries/${id}`, { every: 2_000 });
  const delivery = loaded.data;
  return (
    <Page title={`Delivery ${id}`} loaded={loaded}>
      {delivery && (
        <>
          <Table caption="Now" rows={[delivery]} keyOf={({ id }) => id} columns={deliveryColumns} />
          <p>
            X-Webhook-Id {delivery.webhook_id}. It goes to {delivery.url}, because {delivery.reason}.
          </p>
          <Table
            caption="Attempts"
            none="None yet."
            rows={delivery.attempts}
            keyOf={({ at }) => at}
            columns={[
              { head: 'Begun', text: ({ at }) => at, cell: ({ at }) => <Time at={at} /> },
              { head: 'Status', text: ({ status_code, error }) => String(status_code ?? error ?? 'no answer') },
              { head: 'Took', text: ({ duration_ms }) => `${duration_ms} ms`, numeric: true },
              {
                head: 'Answer',
                text: ({ answer }) => answer ?? '–',
                cell: ({ answer }) => (answer ? <pre>{answer}</pre> : '–'),
              },
            ]}
          />
          <h2>Body</h2>
          {delivery.body === null ? <p>It is not kept any more.</p> : <pre>{indented(delivery.body)}</pre>}
        </>
      )}
    </Page>
  );
};
