import { type DynamicModule, Module } from '@nestjs/common';
import type { Addresses } from '#addresses';
import type { Currencies } from '#currencies';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import type { Rates } from '#rates';
import { AddressesController } from './addresses/addresses.controller.ts';
import { CurrenciesController } from './currencies/currencies.controller.ts';
import { ExtendedKeysController } from './extended-keys/extended-keys.controller.ts';
import { ADDRESSES, CURRENCIES, RATES } from './parts.ts';
import { RatesController } from './rates/rates.controller.ts';

export type MarketParts = {
  readonly authenticateOperator: AuthenticateOperator;
  readonly currencies: Currencies;
  readonly rates: Rates;
  readonly addresses: Addresses;
};

/** What can be paid with, at which rate, to which addresses. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class MarketModule {
  static with({ authenticateOperator, currencies, rates, addresses }: MarketParts): DynamicModule {
    return {
      module: MarketModule,
      controllers: [CurrenciesController, RatesController, AddressesController, ExtendedKeysController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: CURRENCIES, useValue: currencies },
        { provide: RATES, useValue: rates },
        { provide: ADDRESSES, useValue: addresses },
      ],
    };
  }
}
