import type { Refused } from '#deposits';

type Attempt = { readonly outcome: 'authenticated' | 'found' } | Refused<{ readonly refusal: string }>;

/** What an attempt came to, in words. */
export const refusal = async (attempt: Promise<Attempt>): Promise<string> => {
  const came = await attempt;
  return came.outcome === 'refused' ? came.refusal.refusal : 'let in';
};
