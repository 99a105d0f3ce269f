import { STATUS_CODES } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { httpErrors, type ShownError } from '#platform/errors';
import { ErrorBody } from './error-body.ts';

const examplesOf = (errors: readonly ShownError[]) =>
  Object.fromEntries(errors.map(({ message, body }) => [message, { value: body }]));

const response = (status: number, errors: readonly ShownError[]) =>
  ApiResponse({
    status,
    description: STATUS_CODES[status] ?? 'Error',
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorBody) }, examples: examplesOf(errors) } },
  });

/** Documents what an endpoint may refuse, from the catalogue itself; an unexpected failure is always possible. */
export const ApiErrors = (...errors: readonly ShownError[]): ReturnType<typeof applyDecorators> => {
  const byStatus = Map.groupBy([...errors, httpErrors.unexpected()], ({ status }) => status);
  const responses = [...byStatus].toSorted(([a], [b]) => a - b).map(([status, those]) => response(status, those));
  return applyDecorators(ApiExtraModels(ErrorBody), ...responses);
};
