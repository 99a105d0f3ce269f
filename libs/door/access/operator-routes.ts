import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import type { OperatorRole } from '#partners';
import { authenticationErrors, type ShownError } from '../errors/index.ts';
import { RefusesUntypedBodies } from '../http/index.ts';
import { ApiErrors } from '../openapi/api-errors.ts';
import { OperatorGuard } from './operator.guard.ts';
import { Roles } from './roles.ts';

/** What this route of operators may refuse beside what all of them may. */
export const OperatorErrors = (...errors: readonly ShownError[]): ReturnType<typeof applyDecorators> =>
  ApiErrors(
    authenticationErrors.missing(),
    authenticationErrors.invalidToken(),
    authenticationErrors.tokenRevoked(),
    authenticationErrors.insufficientPermissions(),
    ...errors,
  );

/**
 * A controller whose routes are called with a token; `roles` may call all of them, a route may say otherwise. What was
 * sent is read or refused: many of their bodies are of options, without which something else would be done.
 */
export const OperatorRoutes = (path: string, tag: string, ...roles: readonly OperatorRole[]): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth('operator_token'),
    Controller(path),
    RefusesUntypedBodies(),
    UseGuards(OperatorGuard),
    Roles(...roles),
    OperatorErrors(),
  );
