import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { httpErrors } from '../errors/index.ts';
import { refusesUntyped } from './body-manners.ts';
import { bringsUntypedBody } from './request-body.ts';

/** Once the caller is known, and before anything is done or held of what he did not say. */
export const refuseUntyped = (request: FastifyRequest, context: ExecutionContext): void => {
  if (bringsUntypedBody(request.raw) && refusesUntyped(context.getClass(), context.getHandler().name))
    throw httpErrors.bodyUntyped();
};
