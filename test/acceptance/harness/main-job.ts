import { expect } from '@jest/globals';
import type { Arrival, Endpoint } from './endpoint.ts';
import type { Hooked } from './hooked.ts';
import { namesOf } from './webhook.ts';

const PATIENCE_MS = 120_000;

/** What a deposit tells that is paid as quoted, confirmed, screened and accepted. */
export const toldByMainJob: readonly string[] = [
  ...['transaction.pending', 'deposit.received', 'transaction.succeed', 'deposit.confirmed', 'transaction.confirmed'],
  ...['kyt_complete', 'ofac_complete', 'deposit.accepted'],
];

/** A player pays and the casino accepts; gives the id of the deposit. */
export const mainJob = async ({ casino }: Hooked): Promise<number> => {
  const deposit = await casino.deposit();
  await deposit.settle();
  expect(await deposit.accept()).toMatchObject({ status: 200 });
  expect(await deposit.read()).toMatchObject({ decision: 'accepted' });
  return deposit.id;
};

const of = (arrivals: readonly Arrival[], id: number) => arrivals.filter(({ body }) => body.deposit_id === id);

/** Every event of these deposits has come, and each webhook once. */
export const expectAllToldOnce = async (endpoint: Endpoint, deposits: readonly number[]): Promise<void> => {
  const known = new Set<unknown>(deposits);
  const isTheirs = ({ body }: Arrival) => known.has(body.deposit_id);
  await endpoint.arrived(isTheirs, deposits.length * toldByMainJob.length, PATIENCE_MS);
  const came = deposits.map((id) => [id, namesOf(of(endpoint.arrivals, id)).sort()]);
  expect(came).toEqual(deposits.map((id) => [id, [...toldByMainJob].sort()]));
  const ids = endpoint.arrivals.filter(isTheirs).map(({ headers }) => headers['x-webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
};
