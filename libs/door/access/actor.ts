import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Operator } from '#partners';

const operators = new WeakMap<FastifyRequest, Operator>();

export const rememberOperator = (request: FastifyRequest, operator: Operator): void => {
  operators.set(request, operator);
};

/** The operator that the guard let in, who is recorded with every change. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  const operator = operators.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!operator) throw new Error('this endpoint has no guard that knows its operator');
  return operator;
});
