import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AUTHENTICATE_OPERATOR, knownOperator } from '#door/access';
import { answersTo } from '#door/answers';
import { authenticationErrors, integrationErrors } from '#door/errors';
import { addressOf } from '#door/http';
import type { ApiKey, Authenticate, AuthenticateOperator, Authentication, KeyRefusal } from '#partners';
import { noteOfRequest } from '#platform/logging';
import { rememberCaller } from './caller.ts';
import { AUTHENTICATE } from './parts.ts';

const REFUSES_BEARER = 'refuses bearer';

/** "The key description call answers 400 to a Bearer request", whatever the token is worth. */
export const RefusesBearer = () => SetMetadata(REFUSES_BEARER, true);

const refusesBearer = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(REFUSES_BEARER, [context.getHandler(), context.getClass()]) === true;

const isBearer = (authorization: string | undefined): boolean =>
  authorization !== undefined && /^Bearer\s+\S/i.test(authorization);

const answerTo = answersTo<KeyRefusal>({
  missing: authenticationErrors.missing,
  malformed: authenticationErrors.invalidKeyFormat,
  unknown: authenticationErrors.invalidKey,
  expired: authenticationErrors.keyExpired,
  inactive: authenticationErrors.keyInactive,
  revoked: authenticationErrors.keyRevoked,
  without_affiliate: authenticationErrors.keyWithoutAffiliate,
  affiliate_not_found: authenticationErrors.affiliateNotFound,
  affiliate_disabled: authenticationErrors.affiliateDisabled,
  affiliate_archived: authenticationErrors.affiliateArchived,
});

/** The credential (401), the affiliate (403), then the scope: "every casino endpoint needs scope `admin`." */
const adminKey = (known: Authentication): ApiKey => {
  if (known.outcome === 'refused') throw answerTo(known.refusal);
  const { id, affiliateId: affiliate, entityId } = known.key;
  noteOfRequest({ caller: `key ${id}`, affiliate, ...(entityId !== null && { casino: entityId }) });
  if (known.key.scope !== 'admin') throw authenticationErrors.insufficientPermissions();
  return known.key;
};

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
    if (presented === undefined) return this.#refuseWithoutKey(context, request);
    rememberCaller(request, adminKey(await this.authenticate(presented, addressOf(request))));
    return true;
  }

  /** An operator's token is a credential here too, but no operator may act as a casino. */
  async #refuseWithoutKey(context: ExecutionContext, request: FastifyRequest): Promise<never> {
    const authorization = headerOf(request, 'authorization');
    if (isBearer(authorization) && refusesBearer(this.reflector, context)) throw integrationErrors.needsApiKey();
    knownOperator(await this.authenticateOperator(authorization, addressOf(request)));
    throw authenticationErrors.insufficientPermissions();
  }
}
