/** Longer than the pauses between two looks of one call: what was so longer ago was another time. */
const APART_MS = 5_000;

/** How long something is so, which is told whenever it is found so. */
export const createSince = () => {
  let time: { readonly since: number; readonly last: number } | undefined;
  return {
    isSo: (): boolean => time !== undefined,
    forMs: (): number => {
      const now = performance.now();
      time = { since: time && now - time.last < APART_MS ? time.since : now, last: now };
      return now - time.since;
    },
    over: (): void => {
      time = undefined;
    },
  };
};
