import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import type { OperatorRole } from '#partners';
import { OperatorGuard } from './operator.guard.ts';
import { Roles } from './roles.ts';

/** A controller whose routes are called with a token; `roles` may call all of them, a route may say otherwise. */
export const OperatorRoutes = (path: string, tag: string, ...roles: readonly OperatorRole[]): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth('operator_token'),
    Controller(path),
    UseGuards(OperatorGuard),
    Roles(...roles),
  );
