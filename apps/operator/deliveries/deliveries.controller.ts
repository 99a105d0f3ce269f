import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type pg from 'pg';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { readId } from '#door/http';
import { numberIn, pageIn } from '#door/lists';
import type { Operator } from '#partners';
import { type DeliveryFilters, findDelivery, listDeliveries } from '#webhooks';
import { DeliveriesBody, DeliveriesQuery, DeliveryBody, NewReplayBody, ReplayBody } from './delivery-bodies.ts';
import { deliveryErrors } from './delivery-errors.ts';
import { sendAllAgain, sendOneAgain } from './send-again.ts';

export const DELIVERIES_POOL = Symbol('database of deliveries');

const filtersIn = (query: DeliveriesQuery): DeliveryFilters => ({
  depositId: numberIn(query.deposit_id),
  transactionId: numberIn(query.transaction_id),
  affiliateId: numberIn(query.affiliate_id),
  entityId: numberIn(query.entity_id),
  status: query.status,
  ...pageIn(query),
});

@ApiTags('Webhook deliveries')
@ApiBearerAuth('operator_token')
@Controller('operator/webhook-deliveries')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops')
export class DeliveriesController {
  readonly #pool: pg.Pool;

  constructor(@Inject(DELIVERIES_POOL) pool: pg.Pool) {
    this.#pool = pool;
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'Deliveries with their attempts, newest first' })
  @ApiOkResponse({ type: DeliveriesBody })
  @OperatorErrors()
  async list(@Query() query: DeliveriesQuery): Promise<DeliveriesBody> {
    const { items, next_cursor } = await listDeliveries(this.#pool, filtersIn(query));
    return { deliveries: [...items], next_cursor };
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'replayWebhookDeliveries',
    summary: "Send everything of a casino, or of an affiliate's legacy transactions, since a time again",
    description: 'Delivered ones too; each keeps its X-Webhook-Id, so that a receiver can drop what it has.',
  })
  @ApiAcceptedResponse({ type: ReplayBody })
  @OperatorErrors()
  async replay(@Actor() operator: Operator, @Body() body: NewReplayBody): Promise<ReplayBody> {
    const { entity_id = 0, affiliate_id, since } = body;
    // One of the two is there: the body was checked for that.
    const whose = affiliate_id === undefined ? { entityId: entity_id } : { affiliateId: affiliate_id };
    return { replayed: await sendAllAgain(this.#pool, operator, { whose, since: new Date(since) }) };
  }

  @Post(':id/redeliver')
  @HttpCode(202)
  @ApiOperation({ operationId: 'redeliverWebhook', summary: 'Send one again, whatever became of it' })
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the delivery' })
  @ApiAcceptedResponse({ type: DeliveryBody })
  @OperatorErrors(...Object.values(deliveryErrors).map((error) => error()))
  async redeliver(@Actor() operator: Operator, @Param('id') text: string): Promise<DeliveryBody> {
    const id = readId(text, deliveryErrors);
    const outcome = await sendOneAgain(this.#pool, operator, id);
    if (outcome === 'body_gone') throw deliveryErrors.bodyGone();
    if (outcome === 'under_way') throw deliveryErrors.underWay();
    const delivery = await findDelivery(this.#pool, id);
    if (!delivery) throw deliveryErrors.notFound();
    return delivery;
  }
}
