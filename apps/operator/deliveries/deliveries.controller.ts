import { Body, type DynamicModule, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type pg from 'pg';
import { Actor, AUTHENTICATE_OPERATOR, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { readId, routesOf } from '#door/http';
import { numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type AuthenticateOperator, type Operator } from '#partners';
import { type DeliveryFilters, detailOfDelivery, findDelivery, listDeliveries } from '#webhooks';
import {
  DeliveriesBody,
  DeliveriesQuery,
  DeliveryBody,
  DeliveryDetailBody,
  NewReplayBody,
  ReplayBody,
} from './delivery-bodies.ts';
import { deliveryErrors } from './delivery-errors.ts';
import { countAgain, sendAllAgain, sendOneAgain } from './send-again.ts';

const DELIVERIES_POOL = Symbol('database of deliveries');

const filtersIn = (query: DeliveriesQuery): DeliveryFilters => ({
  depositId: numberIn(query.deposit_id),
  transactionId: numberIn(query.transaction_id),
  affiliateId: numberIn(query.affiliate_id),
  entityId: numberIn(query.entity_id),
  status: query.status,
  ...pageIn(query),
});

@OperatorRoutes('operator/webhook-deliveries', 'Webhook deliveries', 'admin', 'ops')
class DeliveriesController {
  @Inject(DELIVERIES_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listWebhookDeliveries', 'Deliveries with their attempts, newest first')
  @ApiOkResponse({ type: DeliveriesBody })
  @OperatorErrors()
  async list(@Query() query: DeliveriesQuery): Promise<DeliveriesBody> {
    const { items, next_cursor } = await listDeliveries(this.pool, filtersIn(query));
    return { deliveries: [...items], next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'ops', 'auditor')
  @Described('getWebhookDelivery', 'A delivery with its body, why it goes where it goes, and what was answered')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the delivery' })
  @ApiOkResponse({ type: DeliveryDetailBody })
  @OperatorErrors(deliveryErrors.invalidId(), deliveryErrors.notFound())
  async get(@Param('id') text: string): Promise<DeliveryDetailBody> {
    const delivery = await detailOfDelivery(this.pool, readId(text, deliveryErrors));
    if (!delivery) throw deliveryErrors.notFound();
    return delivery;
  }

  @Post('replay')
  @HttpCode(202)
  @Dangerous()
  @Described(
    'replayWebhookDeliveries',
    "Send everything of a casino, or of an affiliate's legacy transactions, since a time again",
    'Delivered ones too, unless `only` says otherwise; each keeps its X-Webhook-Id, so that a receiver can drop what it ' +
      'has. With `dry_run` they are counted and nothing is sent.',
  )
  @ApiAcceptedResponse({ type: ReplayBody })
  @OperatorErrors()
  async replay(@Actor() operator: Operator, @Body() body: NewReplayBody): Promise<ReplayBody> {
    const { entity_id = 0, affiliate_id, since, until, events, only, dry_run = false } = body;
    // One of the two is there: the body was checked for that.
    const whose = affiliate_id === undefined ? { entityId: entity_id } : { affiliateId: affiliate_id };
    const wanted = {
      since: new Date(since),
      until: until === undefined ? undefined : new Date(until),
      events,
      onlyDead: only === 'dead',
    };
    const wish = { whose, wanted };
    const replayed = await (dry_run ? countAgain(this.pool, wish) : sendAllAgain(this.pool, operator, wish));
    return { replayed };
  }

  @Post(':id/redeliver')
  @HttpCode(202)
  @Described('redeliverWebhook', 'Send one again, whatever became of it')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the delivery' })
  @ApiAcceptedResponse({ type: DeliveryBody })
  @OperatorErrors(...Object.values(deliveryErrors).map((error) => error()))
  async redeliver(@Actor() operator: Operator, @Param('id') text: string): Promise<DeliveryBody> {
    const id = readId(text, deliveryErrors);
    const outcome = await sendOneAgain(this.pool, operator, id);
    if (outcome === 'body_gone') throw deliveryErrors.bodyGone();
    if (outcome === 'under_way') throw deliveryErrors.underWay();
    const delivery = await findDelivery(this.pool, id);
    if (!delivery) throw deliveryErrors.notFound();
    return delivery;
  }
}

type DeliveriesParts = { readonly pool: pg.Pool; readonly authenticateOperator: AuthenticateOperator };

export const deliveryRoutes = ({ pool, authenticateOperator }: DeliveriesParts): DynamicModule =>
  routesOf([DeliveriesController], { [DELIVERIES_POOL]: pool, [AUTHENTICATE_OPERATOR]: authenticateOperator });
