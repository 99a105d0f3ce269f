export type Random = {
  /** Below this. */
  readonly below: (limit: number) => number;
  readonly chance: (of: number) => boolean;
  readonly pick: <T>(among: readonly T[]) => T | undefined;
  /** By weight. */
  readonly choose: <T extends string>(weights: Readonly<Record<T, number>>) => T;
};

/** The same seed, the same operations: a run that went wrong can be had again. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (of) => next() < of,
    pick: (among) => among[below(among.length)],
    choose: (weights) => {
      const all = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of all) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('there is nothing to choose from');
    },
  };
};
