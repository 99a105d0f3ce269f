import { type ModulesContainer, Reflector } from '@nestjs/core';
import type { OperatorRole } from '#partners';
import { rolesOf } from './roles.ts';

/** Where @nestjs/swagger keeps what a route is called. */
const OPERATION = 'swagger/apiOperation';

export const operationOf = (handler: object): string | undefined =>
  (Reflect.getMetadata(OPERATION, handler) as { readonly operationId?: string } | undefined)?.operationId;

const methodsOf = (prototype: object): ((...args: never[]) => unknown)[] =>
  Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name): unknown => Object.getOwnPropertyDescriptor(prototype, name)?.value)
    .filter((value) => typeof value === 'function') as ((...args: never[]) => unknown)[];

/** What a role may call of all that this process serves, from the same metadata that the guard goes by. */
export const operationsFor = (modules: ModulesContainer, role: OperatorRole): string[] => {
  const reflector = new Reflector();
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  const operations = controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    return methodsOf(metatype.prototype).flatMap((method) => {
      const operation = operationOf(method);
      return operation && rolesOf(reflector, method, metatype)?.includes(role) ? [operation] : [];
    });
  });
  return [...new Set(operations)].sort();
};
