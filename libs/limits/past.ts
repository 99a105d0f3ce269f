import { LRUCache } from 'lru-cache';

const MOST_KNOWN = 10_000;

export type Past = {
  /** Whole seconds until the window of whoever is past his limit ends; none for all others. */
  readonly secondsLeft: (subject: string) => number | undefined;
  readonly note: (subject: string, secondsLeft: number) => void;
};

/**
 * Who is past a limit stays so until his window ends: he is refused without being counted again. Of too many the oldest
 * are forgotten, who then are counted.
 */
export const rememberPast = (now: () => number = () => performance.now()): Past => {
  const until = new LRUCache<string, number>({ max: MOST_KNOWN });
  return {
    secondsLeft: (subject) => {
      const left = Math.ceil(((until.get(subject) ?? 0) - now()) / 1_000);
      return left > 0 ? left : undefined;
    },
    note: (subject, secondsLeft) => {
      until.set(subject, now() + secondsLeft * 1_000);
    },
  };
};
