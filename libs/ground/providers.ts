import { type MessageCarrier, parseSmtpUrl, simulatedCarrier, smtpCarrier } from '#messages';
import type { Configuration, RateSourceName } from '#platform/configuration';
import { coinbase, kraken, type RateSource, simulatedRates } from '#rates';
import { StartError } from './start-error.ts';

const sources: Readonly<Record<RateSourceName, () => RateSource>> = { kraken, coinbase };

/** "With ENGINE=external rates are the pinned ones only, until providers are configured." */
export const rateSourcesFor = ({ engine, rateSources }: Configuration): readonly RateSource[] => {
  if (rateSources) return rateSources.map((name) => sources[name]());
  return engine === 'simulated' ? [simulatedRates()] : [];
};

/** "SMS and e-mail are simulated unless providers are configured." */
export const emailCarrierFor = ({ smtpUrl }: Configuration): MessageCarrier => {
  if (smtpUrl === undefined) return simulatedCarrier();
  const settings = parseSmtpUrl(smtpUrl);
  if (!settings)
    throw new StartError(
      'SMTP_URL is not understood: use one like smtp://user:password@host:587?from=receipts@casino.example',
    );
  return smtpCarrier(settings);
};
