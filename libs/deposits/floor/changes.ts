import { keyOf, type PaymentKey } from './payment.ts';
import type { Deposit, Standing } from './state.ts';

/** What joined the payments that count and what left them: the whole list in every event would grow with its square. */
export type CountedChange = { readonly added: readonly PaymentKey[]; readonly removed: readonly PaymentKey[] };

export type Changes = Partial<Omit<Standing, 'counted'>> & { readonly counted?: CountedChange };

const without = (keys: readonly PaymentKey[], others: readonly PaymentKey[]): readonly PaymentKey[] => {
  const those = new Set(others);
  return keys.filter((key) => !those.has(key));
};

const countedChange = (before: Deposit, after: Deposit): Pick<Changes, 'counted'> => {
  const [old, now] = [before.standing.counted, after.standing.counted];
  if (old === now) return {};
  const counted = { added: without(now, old), removed: without(old, now) };
  return counted.added.length + counted.removed.length > 0 ? { counted } : {};
};

/** The fields of the standing that differ, with their new values. */
export const changesBetween = (before: Deposit, after: Deposit): Changes => {
  const { counted: _, ...fields } = after.standing;
  const old: Readonly<Record<string, unknown>> = before.standing;
  const changed = Object.fromEntries(Object.entries(fields).filter(([field, value]) => old[field] !== value));
  return { ...changed, ...countedChange(before, after) };
};

/** In the order of the payments, as they are always counted. */
const countedAfter = ({ payments, standing }: Deposit, { added, removed }: CountedChange): readonly PaymentKey[] => {
  const last = payments.at(-1);
  // Nearly always: a history of a thousand payments is folded again and again.
  if (last && removed.length === 0 && added.length === 1 && added[0] === keyOf(last))
    return [...standing.counted, ...added];
  if (added.length === 0) return without(standing.counted, removed);
  const counted = new Set([...without(standing.counted, removed), ...added]);
  return payments.map(keyOf).filter((key) => counted.has(key));
};

/** The standing with what changed in it; the payments have to be those of after the fact. */
export const withChanges = (deposit: Deposit, { counted, ...fields }: Changes): Deposit => ({
  ...deposit,
  standing: {
    ...deposit.standing,
    ...fields,
    ...(counted && { counted: countedAfter(deposit, counted) }),
  },
});
