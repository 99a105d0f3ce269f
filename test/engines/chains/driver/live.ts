import { scriptOf } from '#addresses';
import type { Ticker } from '#money';
import {
  type Deposit,
  type DepositHandle,
  done,
  type endpoints,
  eventually,
  hookedCasinos,
  openMarket,
  type Service,
  serviceAt,
  startService,
} from '../../../acceptance/harness/index.ts';

/** A service that watches real nodes, its market, and a casino that hears of everything. */
export const startLive = async (settings: Readonly<Record<string, string>>, open: ReturnType<typeof endpoints>) => {
  const running = await startService({ ENGINE: 'live', ...settings });
  const service = serviceAt(() => running);
  await openMarket(service);
  return { running, service, hooked: await hookedCasinos(service, open)() };
};

/** What an operator sees of a deposit's history. */
export type Told = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

export const historyOf = async (service: Service, { id }: DepositHandle): Promise<readonly Told[]> =>
  done(await service.operator('GET', `/operator/deposits/${id}/events`)).events as readonly Told[];

export const scriptFor = (currency: Ticker, { quote }: DepositHandle): string =>
  scriptOf(currency, quote.address) ?? '';

/** What was quoted, in the smallest unit of a bitcoin-like coin. */
export const quotedUnits = ({ quote }: DepositHandle): bigint => BigInt(Math.round(quote.crypto_amount * 1e8));

export const untilStatus = (deposit: DepositHandle, status: string, withinMs = 8_000): Promise<Deposit> =>
  eventually(deposit.read, (found) => found.status === status, withinMs);
