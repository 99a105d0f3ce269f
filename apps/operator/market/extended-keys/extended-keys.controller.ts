import { Body, Get, Inject, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { type Addresses, type ExtendedKeyRow, NoExtendedKey } from '#addresses';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { schemaMismatch } from '#door/errors';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { ADDRESSES } from '../parts.ts';
import { tickerErrors, tickerIn } from '../tickers.ts';
import { ExtendedKeyBody, ExtendedKeysBody, NewExtendedKeyBody } from './extended-key-bodies.ts';

const bodyOf = ({ nextIndex, firstAddress, ...row }: ExtendedKeyRow): ExtendedKeyBody => ({
  ...row,
  next_index: nextIndex,
  first_address: firstAddress,
});

const asMismatch = (error: unknown): never => {
  if (error instanceof NoExtendedKey) throw schemaMismatch([{ path: ['xpub'], message: error.message }]);
  throw error;
};

@OperatorRoutes('operator/extended-keys', 'Operator: market')
export class ExtendedKeysController {
  @Inject(ADDRESSES) private readonly addresses!: Addresses;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listExtendedKeys', 'The public keys that addresses are derived from')
  @ApiOkResponse({ type: ExtendedKeysBody })
  async list(): Promise<ExtendedKeysBody> {
    return { extended_keys: (await this.addresses.keys()).map(bodyOf) };
  }

  @Put(':ticker')
  @Roles('admin')
  @Dangerous()
  @Described(
    'configureExtendedKey',
    'Derive the addresses of a currency from a wallet of your own',
    'From now on no deposit gets an address of the key before; those that have one keep it.',
  )
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: ExtendedKeyBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async configure(
    @Param('ticker') word: string,
    @Body() { xpub, note = null }: NewExtendedKeyBody,
    @Actor() operator: Operator,
  ): Promise<ExtendedKeyBody> {
    const currency = tickerIn(word);
    await this.addresses.configureKey({ currency, xpub, note, actor: actorOf(operator) }).catch(asMismatch);
    const configured = (await this.addresses.keys()).find(({ ticker }) => ticker === currency);
    if (!configured) throw new Error(`the new key of ${currency} did not come back`);
    return bodyOf(configured);
  }
}
