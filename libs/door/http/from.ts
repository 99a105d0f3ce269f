import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressOf } from './address-of.ts';

/** Of a route: from where it is called, as everything by address goes, so that limits and turns mean the same caller. */
export const From = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
