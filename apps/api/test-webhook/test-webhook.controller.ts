import {
  Body,
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  HttpCode,
  Inject,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticationErrors, httpErrors, integrationErrors, schemaMismatch, scopeErrors } from '#door/errors';
import { ApiErrors } from '#door/openapi';
import type { ApiKey } from '#partners';
import { Crowded } from '#platform/gate';
import {
  CALLS_PER_WINDOW,
  type CountedCall,
  countTestCall,
  isSendable,
  isWebhookEvent,
  sendTestWebhook,
} from '#webhooks';
import { Caller, callerOf } from '../caller.ts';
import { casinoIn } from '../casino.ts';
import { CasinoKeyGuard } from '../casino-key.guard.ts';
import { keyedRoutes } from '../parts.ts';
import { TEST_WEBHOOK, type TestWebhookParts } from './parts.ts';
import { NewTestWebhookBody, TestWebhookBody } from './test-webhook-bodies.ts';

const tellLimit = (reply: FastifyReply, { remaining, resetAt }: Pick<CountedCall, 'remaining' | 'resetAt'>): void =>
  void reply.headers({
    'x-ratelimit-limit': String(CALLS_PER_WINDOW),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAt),
  });

/** Nobody has looked when the window ends: what is sure is when the next call may be counted. */
const comesAgainAt = (): number =>
  Math.ceil(Date.now() / 1_000) + Number(httpErrors.crowded().headers['retry-after'] ?? 0);

/**
 * Counts every call of an authenticated admin key. A guard, since guards come before anything that looks at the body:
 * malformed JSON and a wrong field count too, and their answers carry the headers.
 */
@Injectable()
class TestCallGuard implements CanActivate {
  @Inject(TEST_WEBHOOK) private readonly parts!: TestWebhookParts;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const key = callerOf(http.getRequest<FastifyRequest>());
    const reply = http.getResponse<FastifyReply>();
    const { allowed, secondsLeft, ...left } = await countTestCall(this.parts.db, key.id).catch((error: unknown) => {
      if (error instanceof Crowded) tellLimit(reply, { remaining: 0, resetAt: comesAgainAt() });
      throw error;
    });
    tellLimit(reply, left);
    if (!allowed) throw integrationErrors.rateLimited(secondsLeft);
    return true;
  }
}

@ApiTags('Integration')
@ApiSecurity('api_key')
@Controller('casino/integration')
class TestWebhookController {
  @Inject(TEST_WEBHOOK) private readonly parts!: TestWebhookParts;

  @Post('test-webhook')
  @HttpCode(200)
  @UseGuards(CasinoKeyGuard, TestCallGuard)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send one test event to the endpoint of a casino',
    description:
      'The payload is signed like a real one and marked `test`; the request carries `X-Webhook-Test: true`. Nothing is ' +
      'stored or repeated. Ten calls per key in 60 seconds; every answer says how many are left in `X-RateLimit-Limit`, ' +
      '`X-RateLimit-Remaining` and `X-RateLimit-Reset`.',
  })
  @ApiOkResponse({ type: TestWebhookBody, description: 'An attempt was made, whatever came of it' })
  @ApiErrors(
    ...Object.values(authenticationErrors).map((error) => error()),
    httpErrors.malformedJson(),
    schemaMismatch([{ path: ['entity_id'], message: 'Required' }]),
    ...[integrationErrors.unknownEvent('deposit.paid'), scopeErrors.otherEntity(), scopeErrors.entityNotFound()],
    ...[integrationErrors.noWebhookUrl(), integrationErrors.rateLimited(42), httpErrors.crowded()],
  )
  async test(@Caller() caller: ApiKey, @Body() { entity_id, event }: NewTestWebhookBody): Promise<TestWebhookBody> {
    const { client, partners, now = () => new Date() } = this.parts;
    if (!isWebhookEvent(event)) throw integrationErrors.unknownEvent(event);
    const casino = casinoIn(await partners.casinoFor(caller, entity_id));
    const target = await partners.webhookOf(casino.id);
    if (!target) throw integrationErrors.noWebhookUrl();
    if (!isSendable(target)) throw new Error('the secret of the webhook setting cannot be opened');
    return sendTestWebhook({ client, target, casino, event, at: now() });
  }
}

export const testWebhookRoutes = (parts: TestWebhookParts): DynamicModule =>
  keyedRoutes(parts.partners, [TestWebhookController], { [TEST_WEBHOOK]: parts });
