import { Body, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, CheckDanger, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { accountErrors, commandErrors } from '#door/errors';
import { AffiliatePageQuery, numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Accounts, actorOf, type EntityAnswer, type EntityItem, type Operator } from '#partners';
import { idIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { readBy } from '../webhook/read-by.ts';
import { ChangedEntityBody, EntitiesBody, EntityBody } from './entity-bodies.ts';
import { EntityChangesBody, NewEntityBody } from './new-entity-bodies.ts';

/** The rest of a casino is money: what is charged, settled and taken unconfirmed, and whom webhooks are believed by. */
const HARMLESS = ['name', 'external_code', 'status'];

/** Nothing is settled differently yet. */
const HARMLESS_WHEN_NEW = [...HARMLESS, 'affiliate_id', 'mode'];

const isDangerous = (sent: EntityChangesBody | NewEntityBody, harmless: readonly string[]): boolean =>
  Object.entries(sent).some(([field, value]) => value !== undefined && !harmless.includes(field));

@OperatorRoutes('operator/entities', 'Accounts', 'admin')
export class EntitiesController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post()
  @Described('createEntity', 'Set up a casino of a partner')
  @ApiCreatedResponse({ type: ChangedEntityBody })
  @OperatorErrors(accountErrors.notFound('Affiliate'), commandErrors.numbersUnavailable())
  async create(
    @Actor() operator: Operator,
    @Body() body: NewEntityBody,
    @CheckDanger() checkDanger: () => Promise<void>,
  ): Promise<EntityAnswer> {
    if (isDangerous(body, HARMLESS_WHEN_NEW)) await checkDanger();
    return changed(await this.accounts.entities.add(actorOf(operator), body));
  }

  @Patch(':id')
  @Described(
    'changeEntity',
    'Change a casino',
    'A webhook without a secret keeps the one it has, with one replaces it, null removes both.',
  )
  @ApiParam({ name: 'id', type: 'integer', description: 'entity_id of the casino' })
  @ApiOkResponse({ type: ChangedEntityBody })
  @OperatorErrors(accountErrors.invalidId('Entity'), accountErrors.entityCannotMove(), accountErrors.notFound('Entity'))
  async change(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() body: EntityChangesBody,
    @CheckDanger() checkDanger: () => Promise<void>,
  ): Promise<EntityAnswer> {
    if (isDangerous(body, HARMLESS)) await checkDanger();
    return changed(await this.accounts.entities.change(actorOf(operator), { id: idIn('Entity', id), sent: body }));
  }

  @Get()
  @Roles('admin', 'auditor')
  @Described('listEntities', 'All casinos, or those of one partner, by id')
  @ApiOkResponse({ type: EntitiesBody })
  async list(@Actor() operator: Operator, @Query() query: AffiliatePageQuery) {
    const page = { affiliateId: numberIn(query.affiliate_id), ...pageIn(query) };
    const { items, next_cursor } = await this.accounts.entities.list(page);
    return { entities: items.map(readBy(operator)), next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @Described('getEntity', 'One casino')
  @ApiParam({ name: 'id', type: 'integer', description: 'entity_id of the casino' })
  @ApiOkResponse({ type: EntityBody })
  @OperatorErrors(accountErrors.invalidId('Entity'), accountErrors.notFound('Entity'))
  async item(@Actor() operator: Operator, @Param('id') id: string): Promise<EntityItem> {
    return readBy(operator)(found('Entity', await this.accounts.entities.item(idIn('Entity', id))));
  }
}
