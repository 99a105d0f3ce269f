import { Body, Controller, Get, Inject, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { accountErrors } from '#door/errors';
import { AffiliatePageQuery, numberIn, pageIn } from '#door/lists';
import { type Accounts, actorOf, type EntityAnswer, type EntityItem, type Operator } from '#partners';
import { idIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { ChangedEntityBody, EntitiesBody, EntityBody } from './entity-bodies.ts';
import { EntityChangesBody, NewEntityBody } from './new-entity-bodies.ts';

@ApiTags('Accounts')
@ApiBearerAuth('operator_token')
@Controller('operator/entities')
@UseGuards(OperatorGuard)
@Roles('admin')
export class EntitiesController {
  readonly #entities: Accounts['entities'];

  constructor(@Inject(ACCOUNTS) accounts: Accounts) {
    this.#entities = accounts.entities;
  }

  @Post()
  @ApiOperation({ operationId: 'createEntity', summary: 'Set up a casino of a partner' })
  @ApiCreatedResponse({ type: ChangedEntityBody })
  @OperatorErrors(accountErrors.notFound('Affiliate'))
  async create(@Actor() operator: Operator, @Body() body: NewEntityBody): Promise<EntityAnswer> {
    return changed(await this.#entities.add(actorOf(operator), body));
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'changeEntity',
    summary: 'Change a casino',
    description: 'A webhook without a secret keeps the one it has, with one replaces it, null removes both.',
  })
  @ApiParam({ name: 'id', type: 'integer', description: 'entity_id of the casino' })
  @ApiOkResponse({ type: ChangedEntityBody })
  @OperatorErrors(accountErrors.invalidId('Entity'), accountErrors.entityCannotMove(), accountErrors.notFound('Entity'))
  async change(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() body: EntityChangesBody,
  ): Promise<EntityAnswer> {
    return changed(await this.#entities.change(actorOf(operator), { id: idIn('Entity', id), sent: body }));
  }

  @Get()
  @Roles('admin', 'auditor')
  @ApiOperation({ operationId: 'listEntities', summary: 'All casinos, or those of one partner, by id' })
  @ApiOkResponse({ type: EntitiesBody })
  @OperatorErrors()
  async list(@Query() query: AffiliatePageQuery) {
    const page = { affiliateId: numberIn(query.affiliate_id), ...pageIn(query) };
    const { items, next_cursor } = await this.#entities.list(page);
    return { entities: items, next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @ApiOperation({ operationId: 'getEntity', summary: 'One casino' })
  @ApiParam({ name: 'id', type: 'integer', description: 'entity_id of the casino' })
  @ApiOkResponse({ type: EntityBody })
  @OperatorErrors(accountErrors.invalidId('Entity'), accountErrors.notFound('Entity'))
  async item(@Param('id') id: string): Promise<EntityItem> {
    return found('Entity', await this.#entities.item(idIn('Entity', id)));
  }
}
