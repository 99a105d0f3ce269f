import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AUTHENTICATE_OPERATOR, knownOperator } from '#door/access';
import { authenticationErrors, integrationErrors } from '#door/errors';
import type { Authenticate, AuthenticateOperator } from '#partners';
import { isBearer, refusesBearer } from './bearer.ts';
import { rememberCaller } from './caller.ts';
import { adminKey } from './known-key.ts';
import { AUTHENTICATE } from './parts.ts';

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** An admin-scope key of a partner that is in business. */
@Injectable()
export class CasinoKeyGuard implements CanActivate {
  @Inject(AUTHENTICATE) private readonly authenticate!: Authenticate;
  @Inject(AUTHENTICATE_OPERATOR) private readonly authenticateOperator!: AuthenticateOperator;
  @Inject(Reflector) private readonly reflector!: Reflector;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const presented = headerOf(request, 'x-api-key');
    if (presented === undefined) return this.#refuseWithoutKey(context, headerOf(request, 'authorization'));
    rememberCaller(request, adminKey(await this.authenticate(presented)));
    return true;
  }

  /** An operator's token is a credential here too, but no operator may act as a casino. */
  async #refuseWithoutKey(context: ExecutionContext, authorization: string | undefined): Promise<never> {
    if (isBearer(authorization) && refusesBearer(this.reflector, context)) throw integrationErrors.needsApiKey();
    knownOperator(await this.authenticateOperator(authorization));
    throw authenticationErrors.insufficientPermissions();
  }
}
