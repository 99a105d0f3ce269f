import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { listEndpoints } from '#webhooks';
import { EndpointsBody, EndpointsQuery } from './endpoint-bodies.ts';

export const DELIVERIES_POOL = Symbol('database of deliveries');

@OperatorRoutes('operator/webhook-endpoints', 'Webhook deliveries', 'admin', 'ops', 'auditor')
export class EndpointsController {
  @Inject(DELIVERIES_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Described(
    'listWebhookEndpoints',
    'How each endpoint answers, and what waits for it',
    'Those that something was sent to. A failing one has one attempt at a time, until it answers well again.',
  )
  @ApiOkResponse({ type: EndpointsBody })
  async list(@Query() query: EndpointsQuery): Promise<EndpointsBody> {
    const { items, next_cursor } = await listEndpoints(this.pool, { state: query.state, ...pageIn(query) });
    return { endpoints: items, next_cursor };
  }
}
