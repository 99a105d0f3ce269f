import { isLegacyCurrency, type LegacyCurrency, legacyCurrencies } from '#money';
import type { AccessToken } from '#partners';

type IsEnabled = (currency: LegacyCurrency) => Promise<boolean>;

const only = async (currencies: readonly LegacyCurrency[], isEnabled: IsEnabled): Promise<LegacyCurrency[]> => {
  const enabled = await Promise.all(currencies.map(isEnabled));
  return currencies.filter((_, nth) => enabled[nth]);
};

/** The coins of the older interface that are switched on. */
export const enabledCoins = (isEnabled: IsEnabled): Promise<LegacyCurrency[]> => only(legacyCurrencies, isEnabled);

/** "Each affiliate id sees only its own cryptos": those of its settings, in their order, as far as it may use them. */
export const cryptosOf = (
  { currencies, legacy }: Pick<AccessToken, 'currencies' | 'legacy'>,
  isEnabled: IsEnabled,
): Promise<LegacyCurrency[]> => {
  const chosen = [...new Set(legacy?.cryptos ?? legacyCurrencies)].filter(isLegacyCurrency);
  return only(
    chosen.filter((currency) => currencies.includes(currency)),
    isEnabled,
  );
};
