export type Condition = readonly [columnAndOperator: string, value: unknown];

/** The WHERE clause of those filters that were given. */
export const conditions = (
  filters: readonly Condition[],
): { readonly where: string; readonly values: readonly unknown[] } => {
  const set = filters.filter(([, value]) => value !== undefined);
  const terms = set.map(([condition], nth) => `${condition} $${nth + 1}`);
  return {
    where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '',
    values: set.map(([, value]) => value),
  };
};
