import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { AuthenticateOperator, OperatorRole } from '#partners';
import { authenticationErrors } from '../errors/index.ts';
import { rememberOperator } from './actor.ts';
import { knownOperator } from './known-operator.ts';
import { ROLES } from './roles.ts';

export const AUTHENTICATE_OPERATOR = Symbol('authenticate operator');

/** 401 without a valid token, 403 for the wrong role. A route without roles is open to nobody. */
@Injectable()
export class OperatorGuard implements CanActivate {
  @Inject(AUTHENTICATE_OPERATOR) private readonly authenticate!: AuthenticateOperator;
  @Inject(Reflector) private readonly reflector!: Reflector;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const operator = knownOperator(await this.authenticate(request.headers.authorization));
    const roles = this.reflector.getAllAndOverride<readonly OperatorRole[]>(ROLES, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!roles?.includes(operator.role)) throw authenticationErrors.insufficientPermissions();
    rememberOperator(request, operator);
    return true;
  }
}
