import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse } from '@nestjs/swagger';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { ErrorBody, ValidationErrorBody } from './error-body.ts';
import { errorResponse } from './error-response.ts';

/** Documents what an endpoint may refuse, from the catalogue itself; an unexpected failure is always possible, and a database that is away. */
export const ApiErrors = (...errors: readonly ShownError[]): ReturnType<typeof applyDecorators> => {
  const byStatus = Map.groupBy([...errors, httpErrors.databaseAway(), httpErrors.unexpected()], ({ status }) => status);
  const responses = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, those]) => ApiResponse({ status, ...errorResponse(status, those) }));
  return applyDecorators(ApiExtraModels(ErrorBody, ValidationErrorBody), ...responses);
};
