import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { OperatorRole } from '#partners';

const ROLES = 'operator roles';

/** Who may call: on a controller for all of its routes, on a route for that one. */
export const Roles = (...roles: readonly OperatorRole[]) => SetMetadata(ROLES, roles);

type Decorated = Parameters<Reflector['get']>[1];

export const rolesOf = (
  reflector: Reflector,
  handler: Decorated,
  controller: Decorated,
): readonly OperatorRole[] | undefined =>
  reflector.getAllAndOverride<readonly OperatorRole[] | undefined>(ROLES, [handler, controller]);
