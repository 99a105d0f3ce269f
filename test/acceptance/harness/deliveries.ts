import { done, type Service } from './service.ts';
import { as } from './shapes.ts';

export type Attempt = {
  readonly at: string;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
};

export type Delivery = {
  readonly id: number;
  readonly webhook_id: string;
  readonly event: string;
  readonly deposit_id: number;
  readonly entity_id: number;
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'dead';
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: string | null;
};

type Page = { readonly deliveries: readonly Delivery[]; readonly next_cursor: string | null };

export type Query = Readonly<Record<string, string | number>>;

const route = '/operator/webhook-deliveries';

const pageOf = async (service: Service, query: Query): Promise<Page> => {
  const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return as<Page>(done(await service.operator('GET', `${route}?${new URLSearchParams(words)}`)));
};

/** All pages of it. */
export const deliveriesOf = async (service: Service, query: Query): Promise<readonly Delivery[]> => {
  const { deliveries, next_cursor } = await pageOf(service, query);
  if (next_cursor === null) return deliveries;
  return [...deliveries, ...(await deliveriesOf(service, { ...query, cursor: next_cursor }))];
};
