import { createHmac } from 'node:crypto';
import type { Arrival, Endpoint } from './endpoint.ts';

export const signatureOf = (raw: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(raw).digest('hex');

/** JSON with its keys sorted at every level, and no white space. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
};

type Known = { readonly id: number };

const tellsOf =
  ({ id }: Known, event?: string) =>
  ({ body }: Arrival): boolean =>
    body.deposit_id === id && (event === undefined || body.event === event);

export const namesOf = (arrivals: readonly Arrival[]): string[] => arrivals.map(({ body }) => String(body.event));

/** What arrived of a deposit, once there is as much as expected. */
export const toldOf = (endpoint: Endpoint, deposit: Known, count: number): Promise<readonly Arrival[]> =>
  endpoint.arrived(tellsOf(deposit), count);

/** The first webhook of a name for a deposit, or a later one. */
export const webhookOf = async (endpoint: Endpoint, deposit: Known, event: string, nth = 1): Promise<Arrival> => {
  const arrivals = await endpoint.arrived(tellsOf(deposit, event), nth);
  const wanted = arrivals[nth - 1];
  if (wanted) return wanted;
  const came = namesOf(endpoint.arrivals.filter(tellsOf(deposit)));
  throw new Error(
    `no ${event} number ${nth} came for deposit ${deposit.id}; what came: ${came.join(', ') || 'nothing'}`,
  );
};
