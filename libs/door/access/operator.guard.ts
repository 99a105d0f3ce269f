import {
  type CanActivate,
  createParamDecorator,
  type DynamicModule,
  type ExecutionContext,
  Inject,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type {
  Act,
  AuthenticateOperator,
  ConsoleSession,
  Operator,
  OperatorAuthentication,
  OperatorRefusal,
  OperatorRole,
  SessionSecret,
} from '#partners';
import { noteOfRequest } from '#platform/logging';
import { answersTo } from '../answers/index.ts';
import { authenticationErrors, schemaMismatch, sessionErrors } from '../errors/index.ts';
import { addressOf } from '../http/address-of.ts';
import type { ParsedJson } from '../http/json-value.ts';
import { UnreadBody } from '../http/request-body.ts';
import { refuseUntyped } from '../http/untyped-bodies.ts';
import { fittedBody } from '../http/validation.pipe.ts';
import { isStorable } from '../rules/index.ts';
import { DANGEROUS, type Danger, type DangerCheck, rememberCheck } from './dangerous.ts';
import { operationOf } from './operations.ts';
import { rolesOf } from './roles.ts';
import { asksByItself, attemptOf, sessionSecretOf, shownTo } from './session-cookie.ts';

const operators = new WeakMap<FastifyRequest, Operator>();

const rememberOperator = (request: FastifyRequest, operator: Operator): void => {
  operators.set(request, operator);
};

/** The operator that the guard let in, who is recorded with every change. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  const operator = operators.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!operator) throw new Error('this endpoint has no guard that knows its operator');
  return operator;
});

const answerTo = answersTo<OperatorRefusal>({
  missing: authenticationErrors.missing,
  invalid: authenticationErrors.invalidToken,
  revoked: authenticationErrors.tokenRevoked,
});

/** The operator, or the 401 of the token. */
export const knownOperator = (known: OperatorAuthentication): Operator => {
  if (known.outcome === 'refused') throw answerTo(known.refusal);
  const { id, name } = known.operator;
  noteOfRequest({ caller: `operator ${name ?? id}` });
  return known.operator;
};

export const AUTHENTICATE_OPERATOR = Symbol('authenticate operator');

/** Tells every route of a door who calls. */
export const knowingOperators = (authenticate: AuthenticateOperator): DynamicModule => ({
  module: class Operators {},
  global: true,
  providers: [{ provide: AUTHENTICATE_OPERATOR, useValue: authenticate }],
  exports: [AUTHENTICATE_OPERATOR],
});

/** A token goes before a session, so that a page of the document can be tried with one. */
const credentialOf = (request: FastifyRequest): string | SessionSecret | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  const session = sessionSecretOf(request);
  return session === undefined ? undefined : { session };
};

const LONGEST_REASON = 500;

const NOT_STORABLE = 'must hold no NUL and no half of a surrogate pair';

/** Headers are of ASCII: what is not comes percent-encoded. Half of a pair at the cut is no character, a NUL is no text. */
const reasonIn = ({ headers }: FastifyRequest): string => {
  try {
    const reason = decodeURIComponent(String(headers['x-cointill-reason'] ?? ''))
      .trim()
      .slice(0, LONGEST_REASON)
      .replace(/[\uD800-\uDBFF]$/, '');
    return isStorable(reason) ? reason : '';
  } catch {
    return '';
  }
};

const readBodyOf = ({ body }: FastifyRequest): ParsedJson =>
  body instanceof UnreadBody ? body.read() : { value: body };

/** Refused before anybody is asked: what nobody can read, what is no body of the route, and what cannot be kept. */
const sentIn = (request: FastifyRequest, context: ExecutionContext): Pick<Act, 'sent' | 'shown'> => {
  const read = readBodyOf(request);
  if ('refusal' in read) throw read.refusal;
  const fitted = fittedBody(read.value, context);
  const wrong = Object.entries(read.value ?? {}).filter((field) => !isStorable(field));
  if (wrong.length > 0) throw schemaMismatch(wrong.map(([name]) => ({ path: [name], message: NOT_STORABLE })));
  return { sent: read.value, shown: fitted };
};

const checkDanger = async (
  session: ConsoleSession,
  context: ExecutionContext,
  { role, ...act }: Pick<Act, 'operation' | 'roles' | 'alone'> & { readonly role: OperatorRole | undefined },
  more: object = {},
): Promise<void> => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reason = reasonIn(request);
  if (reason === '') throw sessionErrors.reasonNeeded();
  if (!session.confirmed) throw sessionErrors.confirmationNeeded();
  const about = { path: request.url, ...(role && { role }), ...more };
  const roles = role === 'admin' ? (['admin'] as const) : act.roles;
  const allowed = await session.allow({ ...act, roles, about, ...sentIn(request, context), reason });
  if (allowed.outcome === 'held') {
    const attempt = attemptOf(request);
    // A browser that has lost this answer sends the very same again: it waits for the same approval then.
    if (attempt !== undefined) await session.giveBack(attempt);
    throw sessionErrors.approvalNeeded(allowed.approval);
  }
};

/** 401 without a valid token, 403 for the wrong role. A route without roles is open to nobody. */
@Injectable()
export class OperatorGuard implements CanActivate {
  @Inject(AUTHENTICATE_OPERATOR) private readonly authenticate!: AuthenticateOperator;
  @Inject(Reflector) private readonly reflector!: Reflector;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const operator = knownOperator(await this.authenticate(credentialOf(request), addressOf(request)));
    const other = operator.session && (shownTo(request) ?? String(operator.id)) !== String(operator.id);
    if (other) throw sessionErrors.otherPerson();
    const roles = rolesOf(this.reflector, context.getHandler(), context.getClass());
    if (!roles?.includes(operator.role)) throw authenticationErrors.insufficientPermissions();
    if (operator.session) await this.#checkSession(operator.session, operator.role, roles, context);
    rememberOperator(request, operator);
    return true;
  }

  async #checkSession(
    session: ConsoleSession,
    role: OperatorRole,
    roles: readonly OperatorRole[],
    context: ExecutionContext,
  ): Promise<void> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!asksByItself(request)) await session.touch();
    const attempt = attemptOf(request);
    if (attempt !== undefined && !(await session.take(attempt))) throw sessionErrors.sentBefore();
    const danger = this.reflector.get<Danger | undefined>(DANGEROUS, context.getHandler());
    const operation = operationOf(context.getHandler()) ?? context.getHandler().name;
    const check: DangerCheck = (about, as) =>
      checkDanger(
        session,
        context,
        { operation, roles, alone: as === 'alone', role: as === 'by role' ? role : undefined },
        about,
      );
    if (danger === undefined) return rememberCheck(request, check);
    refuseUntyped(request, context);
    await check(undefined, danger);
  }
}
