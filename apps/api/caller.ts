import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '#partners';

const callers = new WeakMap<FastifyRequest, ApiKey>();

export const rememberCaller = (request: FastifyRequest, key: ApiKey): void => {
  callers.set(request, key);
};

/** The key that the guard let in. */
export const callerOf = (request: FastifyRequest): ApiKey => {
  const key = callers.get(request);
  if (!key) throw new Error('this endpoint has no guard that knows its caller');
  return key;
};

export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): ApiKey => callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
