import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import type { ShownError } from '../errors/index.ts';
import { ErrorBody, ValidationErrorBody } from './error-body.ts';
import { headerRef } from './headers.ts';
import type { Response, SchemaOrRef } from './open-api.ts';

export type ErrorExamples = Readonly<Record<string, { readonly value: unknown }>>;

export const isValidationError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'success' in body;

/** Which of the two shapes a status has is read off its examples, so that neither can be forgotten. */
const schemaOf = (examples: ErrorExamples): SchemaOrRef => {
  const kinds = Object.values(examples).map(({ value }) =>
    isValidationError(value) ? ValidationErrorBody : ErrorBody,
  );
  const [first, ...others] = [...new Set(kinds)].map((kind) => ({ $ref: getSchemaPath(kind) }));
  if (!first) throw new Error('a refusal without an example');
  return others.length === 0 ? first : { oneOf: [first, ...others] };
};

const examplesOf = (errors: readonly ShownError[]): ErrorExamples =>
  Object.fromEntries(errors.map(({ message, body }) => [message, { value: body }]));

const headersOf = (errors: readonly ShownError[]): Pick<Response, 'headers'> =>
  errors.some(({ headers }) => 'retry-after' in headers)
    ? { headers: { 'Retry-After': headerRef('Retry-After') } }
    : {};

/** One status of an operation, with an example of every way to get it; `known` are those it has already. */
export const errorResponse = (status: number, errors: readonly ShownError[], known: ErrorExamples = {}): Response => {
  const examples = { ...known, ...examplesOf(errors) };
  return {
    description: STATUS_CODES[status] ?? 'Error',
    ...headersOf(errors),
    content: { 'application/json': { schema: schemaOf(examples), examples: { ...examples } } },
  };
};
