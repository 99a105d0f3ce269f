import type { SettlementBody } from '../../../deposits/settlements-body.ts';
import { linkColumn, timeColumn } from '../parts/columns.tsx';
import { ListPage, type ListSpec, type Query } from '../parts/list-page.tsx';

const spec: ListSpec<SettlementBody> = {
  title: 'Settlements',
  page: '/settlements',
  route: '/operator/settlements',
  items: 'settlements',
  keyOf: ({ deposit_id }) => deposit_id,
  needs: 'entity_id',
  filters: [{ name: 'entity_id', label: 'Casino (id)' }],
  columns: [
    linkColumn('Deposit', '/deposits', ({ deposit_id }) => deposit_id),
    timeColumn('Accepted', ({ accepted_at }) => accepted_at),
    { head: 'Net USD', text: ({ entity_net_usd }) => String(entity_net_usd), numeric: true },
    { head: 'Batch', text: ({ batch_id }) => batch_id ?? '–' },
    { head: 'Withheld', text: ({ withheld }) => withheld ?? '–' },
  ],
};

export const Settlements = ({ query }: { query: Query }) => <ListPage spec={spec} query={query} />;
