import { SetMetadata } from '@nestjs/common';
import type { OperatorRole } from '#partners';

export const ROLES = 'operator roles';

/** Who may call: on a controller for all of its routes, on a route for that one. */
export const Roles = (...roles: readonly OperatorRole[]) => SetMetadata(ROLES, roles);
