import type { Deposit, Standing } from './state.ts';

export type Changes = Partial<Standing>;

const sameValue = (left: unknown, right: unknown): boolean =>
  left === right ||
  (Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((v, i) => v === right[i]));

/** The fields of the standing that differ, with their new values. */
export const changesBetween = (before: Deposit, after: Deposit): Changes => {
  const old: Readonly<Record<string, unknown>> = before.standing;
  return Object.fromEntries(Object.entries(after.standing).filter(([field, value]) => !sameValue(old[field], value)));
};
