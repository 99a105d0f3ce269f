import type { DynamicModule } from '@nestjs/common';
import type { Addresses } from '#addresses';
import type { Currencies } from '#currencies';
import { routesOf } from '#door/http';
import type { Rates } from '#rates';
import { AddressesController } from './addresses/addresses.controller.ts';
import { CurrenciesController } from './currencies/currencies.controller.ts';
import { ExtendedKeysController } from './extended-keys/extended-keys.controller.ts';
import { ADDRESSES, CURRENCIES, RATES } from './parts.ts';
import { RatesController } from './rates/rates.controller.ts';

export type MarketParts = {
  readonly currencies: Currencies;
  readonly rates: Rates;
  readonly addresses: Addresses;
};

/** What can be paid with, at which rate, to which addresses. */
export const marketRoutes = ({ currencies, rates, addresses }: MarketParts): DynamicModule =>
  routesOf([CurrenciesController, RatesController, AddressesController, ExtendedKeysController], {
    [CURRENCIES]: currencies,
    [RATES]: rates,
    [ADDRESSES]: addresses,
  });
