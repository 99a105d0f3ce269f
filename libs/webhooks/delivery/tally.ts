/** Counts by name, without an entry for nought. */
export type Tally<Name> = {
  readonly at: (name: Name) => number;
  readonly sum: () => number;
  readonly names: () => Iterable<Name>;
  readonly add: (name: Name, by: number) => void;
};

export const createTally = <Name>(): Tally<Name> => {
  const counts = new Map<Name, number>();
  let sum = 0;
  const at = (name: Name): number => counts.get(name) ?? 0;
  return {
    at,
    sum: () => sum,
    names: () => counts.keys(),
    add: (name, by) => {
      const count = at(name) + by;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
      sum += by;
    },
  };
};
