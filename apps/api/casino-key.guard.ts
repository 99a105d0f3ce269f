import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type ApiKey, type Authenticate, requireAdminScope } from '#partners';
import { integrationErrors } from '#platform/errors';
import { rememberCaller } from './caller.ts';
import { AUTHENTICATE } from './tokens.ts';

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** "The key description call answers 400 to a Bearer request", whatever the token is worth. */
const refuseBearer = (request: FastifyRequest): void => {
  const authorization = headerOf(request, 'authorization');
  if (authorization && /^Bearer\s+\S/i.test(authorization)) throw integrationErrors.needsApiKey();
};

/** An admin-scope key of a partner that is in business. */
@Injectable()
export class CasinoKeyGuard implements CanActivate {
  readonly #authenticate: Authenticate;

  constructor(@Inject(AUTHENTICATE) authenticate: Authenticate) {
    this.#authenticate = authenticate;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const presented = headerOf(request, 'x-api-key');
    if (presented === undefined) refuseBearer(request);
    const key: ApiKey = requireAdminScope(await this.#authenticate(presented));
    rememberCaller(request, key);
    return true;
  }
}
