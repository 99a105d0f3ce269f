import { Body, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { type AddOutcome, type AddRefusal, type Addresses, isAddressOf, type PoolState } from '#addresses';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { answersTo, appliedOr } from '#door/answers';
import { firstNamed, shown } from '#door/errors';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { ADDRESSES } from '../parts.ts';
import { tickerErrors, tickerIn } from '../tickers.ts';
import {
  AddedBody,
  AvailabilityBody,
  NewAddressesBody,
  PoolBody,
  PoolChangeBody,
  PoolsBody,
} from './address-bodies.ts';

const addressErrors = {
  invalid: (currency: string, addresses: readonly string[]) =>
    shown(400, `Nothing was added: no address of the main network of ${currency}: ${firstNamed(addresses)}`, {
      code: 'address_invalid',
    }),
  repeated: (addresses: readonly string[]) =>
    shown(400, `Nothing was added: listed more than once: ${firstNamed(addresses)}`, { code: 'address_repeated' }),
  known: (addresses: readonly string[]) =>
    shown(409, `Nothing was added: already in a pool, or given to a deposit: ${firstNamed(addresses)}`, {
      code: 'address_known',
    }),
} as const;

const refused = answersTo<AddRefusal>({
  repeated: ({ addresses }) => addressErrors.repeated(addresses),
  known: ({ addresses }) => addressErrors.known(addresses),
});

const added = appliedOr<AddOutcome>({ refused: ({ refusal }) => refused(refusal) });

const EXAMPLE = ['bc1q…'];

const bodyOf = ({ ticker, available, free, taken, marks }: PoolState): PoolBody => ({
  ticker,
  available,
  free,
  taken,
  low_water: marks.lowWater,
  high_water: marks.highWater,
});

@OperatorRoutes('operator', 'Operator: market')
export class AddressesController {
  @Inject(ADDRESSES) private readonly addresses!: Addresses;

  @Post('addresses')
  @Roles('admin')
  @Dangerous()
  @Described('addAddresses', 'Add addresses to a pool: all of them, or none')
  @ApiCreatedResponse({ type: AddedBody })
  @OperatorErrors(addressErrors.invalid('BTC', EXAMPLE), addressErrors.repeated(EXAMPLE), addressErrors.known(EXAMPLE))
  async add(@Body() { currency, addresses }: NewAddressesBody, @Actor() operator: Operator): Promise<AddedBody> {
    const wrong = addresses.filter((address) => !isAddressOf(currency, address));
    if (wrong.length > 0) throw addressErrors.invalid(currency, wrong);
    return { added: added(await this.addresses.add(currency, addresses, actorOf(operator))).added };
  }

  @Get('address-pool')
  @Roles('admin', 'ops', 'auditor')
  @Described('listAddressPools', 'How many addresses are left')
  @ApiOkResponse({ type: PoolsBody })
  async list(): Promise<PoolsBody> {
    return { pools: (await this.addresses.pools()).map(bodyOf) };
  }

  @Put('address-pool/:ticker')
  @Roles('admin', 'ops')
  @Described('setAddressPoolAvailable', 'Open a pool, or let no address be had of it')
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: AvailabilityBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async change(
    @Param('ticker') word: string,
    @Body() { available }: PoolChangeBody,
    @Actor() operator: Operator,
  ): Promise<AvailabilityBody> {
    const ticker = tickerIn(word);
    await this.addresses.setAvailable(ticker, available, actorOf(operator));
    return { ticker, available };
  }
}
