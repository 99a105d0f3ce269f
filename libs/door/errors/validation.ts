import { ShownError } from './shown-error.ts';

export type Issue = { readonly path: readonly (string | number)[]; readonly message: string };

/** The interface's shape of a body or a query that does not fit its schema. */
export const schemaMismatch = (issues: readonly Issue[]): ShownError => {
  const message = JSON.stringify(issues.map(({ path, message }) => ({ path, message })));
  return new ShownError(400, message, { success: false, error: { name: 'ZodError', message } });
};
