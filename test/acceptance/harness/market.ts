import { done, type Service } from './service.ts';

export const rates = { BTC: '50000', LTC: '100', ETH: '2000' } as const;

export type Currency = keyof typeof rates;

export const currencies: readonly Currency[] = ['BTC', 'LTC', 'ETH'];

export const pinRate = async (service: Service, currency: Currency, usd: string | null): Promise<void> => {
  done(await service.operator('PUT', `/operator/rates/${currency}`, { usd }));
};

export const setCurrency = async (service: Service, currency: Currency, enabled: boolean): Promise<void> => {
  done(await service.operator('PUT', `/operator/currencies/${currency}`, { enabled }));
};

export const setPool = async (service: Service, currency: Currency, available: boolean): Promise<void> => {
  done(await service.operator('PUT', `/operator/address-pool/${currency}`, { available }));
};

export const setKycService = async (service: Service, available: boolean): Promise<void> => {
  done(await service.operator('PUT', '/operator/kyc-service', { available }));
};

/** What every case may count on: everything available, at the rates above. */
export const openMarket = async (service: Service): Promise<void> => {
  await setKycService(service, true);
  for (const currency of currencies) {
    await setCurrency(service, currency, true);
    await setPool(service, currency, true);
    await pinRate(service, currency, rates[currency]);
  }
};

const within = async (change: () => Promise<void>, restore: () => Promise<void>, run: () => Promise<void>) => {
  await change();
  try {
    await run();
  } finally {
    await restore();
  }
};

/** The rest of the run must not notice: what belongs to all casinos is put back, whatever happens. */
export const withRate = (service: Service, currency: Currency, usd: string | null, run: () => Promise<void>) =>
  within(
    () => pinRate(service, currency, usd),
    () => pinRate(service, currency, rates[currency]),
    run,
  );

export const withoutCurrency = (service: Service, currency: Currency, run: () => Promise<void>) =>
  within(
    () => setCurrency(service, currency, false),
    () => setCurrency(service, currency, true),
    run,
  );

export const withoutPool = (service: Service, currency: Currency, run: () => Promise<void>) =>
  within(
    () => setPool(service, currency, false),
    () => setPool(service, currency, true),
    run,
  );

export const withoutKyc = (service: Service, run: () => Promise<void>) =>
  within(
    () => setKycService(service, false),
    () => setKycService(service, true),
    run,
  );
