/** The OpenAPI document: told by the routes, completed by what is true of all of them. */
export { ApiErrors } from './api-errors.ts';
export { OWN_MISFIT, OWN_UNREADABLE } from './common-refusals.ts';
export type { ToldBeside } from './complete.ts';
export { Described, DescribedOpen } from './described.ts';
export { errorResponse } from './error-response.ts';
export { type Operation, resolved, type Schema, type Schemas } from './open-api.ts';
export { pascalCase } from './pascal-case.ts';
export { serveDocs } from './serve-docs.ts';
