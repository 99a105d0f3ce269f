import type { TransactionFact } from '../events.ts';

/** What a signal comes to before its id is looked at. */
export type Verdict =
  | { readonly outcome: 'applied'; readonly fact: TransactionFact }
  | { readonly outcome: 'ignored' | 'rejected'; readonly reason: string };

export const applies = (fact: TransactionFact): Verdict => ({ outcome: 'applied', fact });
export const ignored = (reason: string): Verdict => ({ outcome: 'ignored', reason });
export const rejected = (reason: string): Verdict => ({ outcome: 'rejected', reason });
