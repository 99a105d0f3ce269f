import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { integrationErrors } from '#door/errors';
import { CALLS_PER_WINDOW, countTestCall } from '#webhooks';
import { callerOf } from '../caller.ts';
import { TEST_WEBHOOK, type TestWebhookParts } from './parts.ts';

/**
 * Counts every call of an authenticated admin key. A guard, since guards come before anything that looks at the body:
 * malformed JSON and a wrong field count too, and their answers carry the headers.
 */
@Injectable()
export class TestCallGuard implements CanActivate {
  @Inject(TEST_WEBHOOK) private readonly parts!: TestWebhookParts;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const key = callerOf(http.getRequest<FastifyRequest>());
    const { allowed, remaining, resetAt, secondsLeft } = await countTestCall(this.parts.db, key.id);
    void http.getResponse<FastifyReply>().headers({
      'x-ratelimit-limit': String(CALLS_PER_WINDOW),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetAt),
    });
    if (!allowed) throw integrationErrors.rateLimited(secondsLeft);
    return true;
  }
}
