import type { LegacyCommands } from '#legacy-commands';
import type { DecimalText, LegacyCurrency } from '#money';
import type { LegacyTokens } from '#partners';
import type { TransactionReads } from '#read-models/legacy-transactions';

/** What the older interface is served from. */
export type LegacyRoutesParts = {
  readonly tokens: LegacyTokens;
  readonly commands: Pick<LegacyCommands, 'create' | 'cancel'>;
  readonly transactions: Pick<TransactionReads, 'byId'>;
  readonly isEnabled: (currency: LegacyCurrency) => Promise<boolean>;
  readonly currentRate: (currency: LegacyCurrency) => Promise<DecimalText | 'unavailable'>;
};

export const LEGACY_ROUTES = Symbol('routes of the older interface');
