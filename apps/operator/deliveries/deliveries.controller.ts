import { Body, type DynamicModule, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type pg from 'pg';
import { Actor, CheckDanger, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { readId, routesOf } from '#door/http';
import { numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import type { Operator } from '#partners';
import { type DeliveryFilters, detailOfDelivery, findDelivery, listDeliveries, type Replayed } from '#webhooks';
import {
  DeliveriesBody,
  DeliveriesQuery,
  DeliveryBody,
  DeliveryDetailBody,
  NewReplayBody,
  ReplayBody,
  ReplayedBody,
  StoppedReplayBody,
} from './delivery-bodies.ts';
import { deliveryErrors } from './delivery-errors.ts';
import { DELIVERIES_POOL, EndpointsController } from './endpoints.controller.ts';
import { countAgain, sendAllAgain, sendOneAgain, stopSendingAgain } from './send-again.ts';

/** More than that at once is a burden for whoever receives it: in the console it is dangerous. */
const MOST_HARMLESS = 1_000;

const filtersIn = (query: DeliveriesQuery): DeliveryFilters => ({
  depositId: numberIn(query.deposit_id),
  transactionId: numberIn(query.transaction_id),
  affiliateId: numberIn(query.affiliate_id),
  entityId: numberIn(query.entity_id),
  status: query.status,
  ...pageIn(query),
});

/** One of the two is there: the body was checked for that. */
const whoseIn = ({ entity_id = 0, affiliate_id }: ReplayedBody): Replayed =>
  affiliate_id === undefined ? { entityId: entity_id } : { affiliateId: affiliate_id };

@OperatorRoutes('operator/webhook-deliveries', 'Webhook deliveries', 'admin', 'ops')
class DeliveriesController {
  @Inject(DELIVERIES_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listWebhookDeliveries', 'Deliveries with their attempts, newest first')
  @ApiOkResponse({ type: DeliveriesBody })
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
  @Described(
    'replayWebhookDeliveries',
    "Send everything of a casino, or of an affiliate's legacy transactions, since a time again",
    'Delivered ones too, unless `only` says otherwise; each keeps its X-Webhook-Id, so that a receiver can drop what it ' +
      'has. With `dry_run` they are counted and nothing is sent.',
  )
  @ApiAcceptedResponse({ type: ReplayBody })
  async replay(
    @Actor() operator: Operator,
    @Body() body: NewReplayBody,
    @CheckDanger() checkDanger: () => Promise<void>,
  ): Promise<ReplayBody> {
    const { since, until, events, only, dry_run = false } = body;
    const wanted = {
      since: new Date(since),
      until: until === undefined ? undefined : new Date(until),
      events,
      onlyDead: only === 'dead',
    };
    const wish = { whose: whoseIn(body), wanted };
    if (dry_run) return { replayed: await countAgain(this.pool, wish) };
    if (operator.session && (await countAgain(this.pool, wish)) > MOST_HARMLESS) await checkDanger();
    return { replayed: await sendAllAgain(this.pool, operator, wish) };
  }

  @Post('stop-replay')
  @HttpCode(200)
  @Described(
    'stopReplay',
    'Stop sending again what had been delivered before',
    'What never arrived is still tried, and what is on its way at this moment arrives.',
  )
  @ApiOkResponse({ type: StoppedReplayBody })
  async stop(@Actor() operator: Operator, @Body() body: ReplayedBody): Promise<StoppedReplayBody> {
    return { stopped: await stopSendingAgain(this.pool, operator, whoseIn(body)) };
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

export const deliveryRoutes = (pool: pg.Pool): DynamicModule =>
  routesOf([DeliveriesController, EndpointsController], { [DELIVERIES_POOL]: pool });
