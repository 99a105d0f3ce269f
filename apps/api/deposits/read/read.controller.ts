import { Controller, type DynamicModule, Get, Header, Inject, Param, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { DepositBody, depositIdOf, entityIdOf } from '#door/deposits';
import { authenticationErrors, readErrors, schemaMismatch, scopeErrors } from '#door/errors';
import { limitOf, listed } from '#door/lists';
import { ApiErrors, Described } from '#door/openapi';
import { type ApiKey, type CasinoFor, isInScope } from '#partners';
import { noteOfRequest } from '#platform/logging';
import type { DepositReads } from '#read-models/deposits';
import { Caller } from '../../caller.ts';
import { enabledCasinoIn } from '../../casino.ts';
import { CasinoKeyGuard } from '../../casino-key.guard.ts';
import { type KeyedPartners, keyedRoutes } from '../../parts.ts';
import { DepositListBody, DepositListQuery, decisionOf, offsetOf } from './list-query.ts';

const credentials = () => Object.values(authenticationErrors).map((error) => error());

const ReadDepositErrors = () =>
  ApiErrors(...credentials(), scopeErrors.invalidDepositId(), scopeErrors.depositNotFound());

const ListDepositsErrors = () =>
  ApiErrors(
    ...credentials(),
    schemaMismatch([{ path: ['entity_id'], message: 'Required' }]),
    scopeErrors.entityIdRequired(),
    scopeErrors.invalidEntityId(),
    scopeErrors.otherEntity(),
    scopeErrors.entityNotFound(),
    scopeErrors.entityDisabled('disabled'),
    readErrors.listBehind(),
  );

/** Deposits come as the text that is sent. */
const Json = () => Header('content-type', 'application/json; charset=utf-8');

type Reads = Pick<DepositReads, 'byId' | 'list'>;
type Parts = { readonly reads: Reads; readonly casinoFor: CasinoFor };

const READ_ROUTES = Symbol('routes that read deposits');

const NO_DEPOSITS = '{"deposits":[],"total":0}';

@ApiTags('Deposits')
@ApiSecurity('api_key')
@Controller('casino')
@UseGuards(CasinoKeyGuard)
class ReadDepositsController {
  @Inject(READ_ROUTES) private readonly parts!: Parts;

  @Get('deposit/:id')
  @Described(
    'readDeposit',
    'Read a deposit',
    'Always shows the effect of every call that was answered before. The status of the casino is not checked.',
  )
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @ReadDepositErrors()
  @Json()
  async read(@Param('id') id: string, @Caller() caller: ApiKey): Promise<string> {
    // "No such deposit for the account or key scope" is all that others are told of it.
    const known = await this.parts.reads.byId(depositIdOf(id), (owners) => isInScope(caller, owners));
    if (!known) throw scopeErrors.depositNotFound();
    noteOfRequest({ casino: known.entityId });
    return known.text;
  }

  @Get('deposits')
  @Described(
    'listDeposits',
    'List the deposits of a casino',
    'Newest first. Page by raising `offset` by `limit` until it reaches `total`.',
  )
  @ApiOkResponse({ type: DepositListBody })
  @ListDepositsErrors()
  @Json()
  async list(@Query() query: DepositListQuery, @Caller() caller: ApiKey): Promise<string> {
    const { id: entityId } = enabledCasinoIn(await this.parts.casinoFor(caller, entityIdOf(query.entity_id)));
    const decision = decisionOf(query.decision);
    if (decision === null) return NO_DEPOSITS;
    const asked = {
      entityId,
      ...(decision !== undefined && { decision }),
      ...(query.currency !== undefined && { currency: query.currency }),
      limit: limitOf(query.limit),
      offset: offsetOf(query.offset),
    };
    const list = await this.parts.reads.list(asked, caller.affiliateId);
    return listed(list);
  }
}

export const readRoutes = ({
  partners,
  reads,
}: {
  readonly partners: KeyedPartners & Pick<Parts, 'casinoFor'>;
  readonly reads: Reads;
}): DynamicModule =>
  keyedRoutes(partners, [ReadDepositsController], { [READ_ROUTES]: { reads, casinoFor: partners.casinoFor } });
