import type { Deposit } from '#deposits';
import type { DeliveryBody } from '../../../deliveries/delivery-bodies.ts';
import type { KeptSignalBody } from '../../../engine/kept-signals-body.ts';
import type { QueuedReturnBody } from '../../../engine/returns-body.ts';
import { deliveryColumns } from '../pages/deliveries.tsx';
import { returnColumns } from '../pages/returns.tsx';
import { signalColumns } from '../pages/signals.tsx';
import { useLoad } from '../parts/load.ts';
import { State } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';

type ListProps<T> = {
  readonly title: string;
  readonly path: string;
  readonly items: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string | number;
};

const List = <T,>({ title, path, items, columns, keyOf }: ListProps<T>) => {
  const loaded = useLoad<Readonly<Record<string, readonly T[]>>>(path, { live: true });
  return (
    <>
      <h2>{title}</h2>
      {loaded.problem && <State of={loaded} />}
      {loaded.data && (
        <Table caption={title} columns={columns} rows={loaded.data[items] ?? []} keyOf={keyOf} none="None." />
      )}
    </>
  );
};

const Payments = ({ payments }: { payments: Deposit['payments'] }) => (
  <>
    <h2>Payments at this revision</h2>
    <Table
      caption="Payments"
      none="None yet."
      rows={payments}
      keyOf={({ txid, vout }) => `${txid} ${vout}`}
      columns={[
        { head: 'Transaction', text: ({ txid, vout }) => `${txid}:${vout}` },
        { head: 'Amount', text: ({ amount }) => amount, numeric: true },
        { head: 'State', text: ({ state, reorged }) => (reorged ? `${state}, reorged` : state) },
      ]}
    />
  </>
);

/** What followed from the deposit, and what was reported of it. */
export const Beside = ({ id, deposit }: { id: string; deposit: Deposit | undefined }) => (
  <>
    {deposit && <Payments payments={deposit.payments} />}
    <List<DeliveryBody>
      title="Webhooks"
      path={`/operator/webhook-deliveries?deposit_id=${id}`}
      items="deliveries"
      columns={deliveryColumns}
      keyOf={(row) => row.id}
    />
    <List<KeptSignalBody>
      title="Signals"
      path={`/operator/signals?deposit_id=${id}`}
      items="signals"
      columns={signalColumns}
      keyOf={(row) => row.signal_id}
    />
    <List<QueuedReturnBody>
      title="Return"
      path={`/operator/returns?deposit_id=${id}`}
      items="returns"
      columns={returnColumns}
      keyOf={(row) => row.return_id}
    />
  </>
);
