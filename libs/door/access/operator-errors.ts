import type { applyDecorators } from '@nestjs/common';
import { authenticationErrors, type ShownError } from '../errors/index.ts';
import { ApiErrors } from '../openapi/api-errors.ts';

/** What every operator's route may refuse, and what this one may. */
export const OperatorErrors = (...errors: readonly ShownError[]): ReturnType<typeof applyDecorators> =>
  ApiErrors(
    authenticationErrors.missing(),
    authenticationErrors.invalidToken(),
    authenticationErrors.tokenRevoked(),
    authenticationErrors.insufficientPermissions(),
    ...errors,
  );
