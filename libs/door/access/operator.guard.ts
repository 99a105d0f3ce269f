import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { AuthenticateOperator, ConsoleSession } from '#partners';
import { authenticationErrors, sessionErrors } from '../errors/index.ts';
import { rememberOperator } from './actor.ts';
import { DANGEROUS } from './dangerous.ts';
import { knownOperator } from './known-operator.ts';
import { operationOf } from './operations.ts';
import { rolesOf } from './roles.ts';
import { asksByItself, sessionSecretOf } from './session-cookie.ts';

export const AUTHENTICATE_OPERATOR = Symbol('authenticate operator');

/** A token goes before a session, so that a page of the document can be tried with one. */
const credentialOf = (request: FastifyRequest): string | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  const secret = sessionSecretOf(request);
  return secret && `Session ${secret}`;
};

const LONGEST_REASON = 500;

/** Headers are of ASCII: what is not comes percent-encoded. */
const reasonIn = ({ headers }: FastifyRequest): string => {
  try {
    return decodeURIComponent(String(headers['x-cointill-reason'] ?? ''))
      .trim()
      .slice(0, LONGEST_REASON);
  } catch {
    return '';
  }
};

/** 401 without a valid token, 403 for the wrong role. A route without roles is open to nobody. */
@Injectable()
export class OperatorGuard implements CanActivate {
  @Inject(AUTHENTICATE_OPERATOR) private readonly authenticate!: AuthenticateOperator;
  @Inject(Reflector) private readonly reflector!: Reflector;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const operator = knownOperator(await this.authenticate(credentialOf(request)));
    const roles = rolesOf(this.reflector, context.getHandler(), context.getClass());
    if (!roles?.includes(operator.role)) throw authenticationErrors.insufficientPermissions();
    if (operator.session) await this.#checkSession(operator.session, context);
    rememberOperator(request, operator);
    return true;
  }

  async #checkSession(session: ConsoleSession, context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!asksByItself(request)) await session.touch();
    if (this.reflector.get(DANGEROUS, context.getHandler()) !== true) return;
    const reason = reasonIn(request);
    if (reason === '') throw sessionErrors.reasonNeeded();
    if (!session.confirmed) throw sessionErrors.confirmationNeeded();
    const operation = operationOf(context.getHandler()) ?? context.getHandler().name;
    await session.record({ operation, about: { path: request.url }, reason });
  }
}
