export type Remembered<T> = {
  readonly get: () => Promise<T>;
  /** After a change that this instance made: the next look goes to the store. */
  readonly forget: () => void;
};

export type MemoryOptions = { readonly ttlMs?: number; readonly now?: () => number };

type Asked<T> = { readonly at: number; readonly answer: Promise<T> };

/** "On the others within a second." */
const TTL_MS = 900;

/**
 * One answer of the database, for all who ask within its time. It is as old as the question that fetched it, so
 * nothing is believed longer than the time to live; a failure is never remembered.
 */
export const remember = <T>(
  load: () => Promise<T>,
  { ttlMs = TTL_MS, now = () => performance.now() }: MemoryOptions = {},
): Remembered<T> => {
  let known: Asked<T> | undefined;

  const ask = (): Asked<T> => {
    const asked = { at: now(), answer: load() };
    asked.answer.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  };

  return {
    get: () => {
      if (known === undefined || now() - known.at >= ttlMs) known = ask();
      return known.answer;
    },
    forget: () => {
      known = undefined;
    },
  };
};
