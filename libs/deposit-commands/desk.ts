import type { CurrentRate, Deposit, Instant } from '#deposits';
import type { EventLog } from '#event-log';
import type { Currency } from '#money';
import type { Logger } from '#platform/logging';
import type { Ids } from './ids.ts';

/** What commands on deposits need of the world. */
export type Desk = {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly now: () => Instant;
  readonly currentRate: (currency: Currency) => Promise<CurrentRate>;
  /** Only a late deposit is valued at the rate of now; no other has to wait for one. */
  readonly rateWhenLate: (deposit: Deposit) => Promise<CurrentRate>;
};

export type DeskParts = Omit<Desk, 'rateWhenLate' | 'now'> & { readonly now?: () => Instant };

export const createDesk = (parts: DeskParts): Desk => ({
  now: () => new Date().toISOString(),
  ...parts,
  rateWhenLate: async ({ standing, terms }) =>
    standing.latePayment ? parts.currentRate(terms.currency) : 'unavailable',
});
