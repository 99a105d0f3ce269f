import type { Answer } from './answers.ts';
import { TooManyAtOnce } from './errors.ts';

export type Call = readonly [method: string, ...params: unknown[]];

type Several = (calls: readonly Call[]) => Promise<readonly Answer[]>;
type Alone = (call: Call) => Promise<Answer>;

/** Erigon takes a hundred as it comes, and refuses all where there are more. */
const MOST = 50;
/** A node that took fewer may have been set up anew, or have been busy. */
const KNOWN_MS = 600_000;

/**
 * What a node does not take at once is asked in halves, down to each by itself, as some take no lists at all; so many as it
 * took are the most from then on. The first that fails alone ends that: of a node that answers nothing nobody asks the rest.
 */
export const inParts = (several: Several, alone: Alone): Several => {
  let [most, until] = [MOST, 0];

  const one = (calls: readonly Call[]): Promise<readonly Answer[]> => Promise.all(calls.map(alone));

  const halves = async (calls: readonly Call[], refused: TooManyAtOnce): Promise<readonly Answer[]> => {
    const middle = Math.ceil(calls.length / 2);
    const first = await (calls.length > 1 ? part(calls.slice(0, middle)) : one(calls)).catch(() => {
      throw refused;
    });
    [most, until] = [Math.min(most, middle), performance.now() + KNOWN_MS];
    return [...first, ...(await whole(calls.slice(middle)))];
  };

  const part = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    if (most === 1) return one(calls);
    try {
      return await several(calls);
    } catch (error) {
      if (error instanceof TooManyAtOnce) return halves(calls, error);
      throw error;
    }
  };

  const whole = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    const all: Answer[] = [];
    while (all.length < calls.length) all.push(...(await part(calls.slice(all.length, all.length + most))));
    return all;
  };

  return (calls) => {
    if (performance.now() > until) most = MOST;
    return whole(calls);
  };
};
