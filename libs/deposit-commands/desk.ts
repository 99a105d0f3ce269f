import type { CurrentRate, Deposit, Instant } from '#deposits';
import type { EventLog } from '#event-log';
import type { Currency } from '#money';
import type { Logger } from '#platform/logging';
import type { Ids } from './ids.ts';
import { type LogOf, shareLog } from './shared-log.ts';

/** What commands on deposits need of the world. */
export type Desk = {
  readonly log: EventLog;
  /** For calls of partners. */
  readonly logOf: LogOf;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly now: () => Instant;
  readonly currentRate: (currency: Currency) => Promise<CurrentRate>;
  /** Only a late deposit is valued at the rate of now; no other has to wait for one. */
  readonly rateWhenLate: (deposit: Deposit) => Promise<CurrentRate>;
};

export type DeskParts = Omit<Desk, 'logOf' | 'rateWhenLate' | 'now'> & { readonly now?: () => Instant };

export const createDesk = (parts: DeskParts): Desk => ({
  now: () => new Date().toISOString(),
  ...parts,
  logOf: shareLog(parts.log),
  rateWhenLate: async ({ standing, terms }) =>
    standing.latePayment ? parts.currentRate(terms.currency) : 'unavailable',
});
