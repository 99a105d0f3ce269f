import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const REFUSES_BEARER = 'refuses bearer';

/** "The key description call answers 400 to a Bearer request", whatever the token is worth. */
export const RefusesBearer = () => SetMetadata(REFUSES_BEARER, true);

export const refusesBearer = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(REFUSES_BEARER, [context.getHandler(), context.getClass()]) === true;

export const isBearer = (authorization: string | undefined): boolean =>
  authorization !== undefined && /^Bearer\s+\S/i.test(authorization);
