import type { RatesParts } from '#door/rates';
import type { ApiKey, CasinoFor } from '#partners';
import type { Configuration } from '#platform/configuration';

/** What the routes that write need beside the CommandBus. */
export type DepositRoutesParts = {
  readonly rates: RatesParts;
  /** Whether a phone has to be a telephone number. */
  readonly phoneCheck: Configuration['phoneCheck'];
  readonly casinoFor: CasinoFor;
};

export const DEPOSIT_ROUTES = Symbol('deposit routes');

export const actorOf = ({ id }: ApiKey): string => `api key ${id}`;
