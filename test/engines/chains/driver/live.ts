import { scriptOf } from '#addresses';
import type { Ticker } from '#money';
import { type Deposit, type DepositHandle, done, eventually, type Service } from '../../../acceptance/harness/index.ts';

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
