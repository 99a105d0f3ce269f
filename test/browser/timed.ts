/** What the middle one of some tries measures: a few of them may meet whatever else the machine does. */
export const medianOf = async (tries: number, measure: () => Promise<number>): Promise<number> => {
  const measured: number[] = [];
  for (let nth = 0; nth < tries; nth++) measured.push(await measure());
  return measured.toSorted((one, other) => one - other)[Math.floor(tries / 2)] ?? Number.NaN;
};
