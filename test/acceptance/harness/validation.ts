import { expect } from '@jest/globals';
import type { Answer } from './http.ts';

type Issue = { readonly path: readonly unknown[]; readonly message: string };

/** The body that a schema mismatch has, and nothing beside it. */
export const validation = {
  status: 400,
  success: false,
  error: { name: 'ZodError', message: expect.stringMatching(/^\[[\s\S]*\]$/) },
};

export const issuesOf = ({ body }: Answer): readonly Issue[] => {
  const { message } = body.error as { message: string };
  return JSON.parse(message);
};
