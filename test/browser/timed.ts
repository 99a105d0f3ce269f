/** What the middle one of some tries measures: a few of them may meet whatever else the machine does. */
export const medianOf = async (tries: number, measure: () => Promise<number>): Promise<number> => {
  const measured: number[] = [];
  for (let nth = 0; nth < tries; nth++) measured.push(await measure());
  return measured.toSorted((one, other) => one - other)[Math.floor(tries / 2)] ?? Number.NaN;
};

const MOST_TRIES = 15;

/**
 * The first try that takes as long as it may, else the best of them: what keeps a browser and a service busy all the while
 * says something of them where the machine has time for it alone.
 */
export const within = async (ms: number, measure: () => Promise<number>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < MOST_TRIES && best > ms; nth++) best = Math.min(best, await measure());
  return best;
};
