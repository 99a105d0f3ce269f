export type Backoff = { readonly next: () => number; readonly reset: () => void };

/** Doubles from `first` to `most` milliseconds, with up to a fifth taken off so that many do not return at once. */
export const backoff = (first: number, most: number): Backoff => {
  let current = first;
  return {
    next: () => {
      const wait = current * (1 - Math.random() / 5);
      current = Math.min(current * 2, most);
      return wait;
    },
    reset: () => {
      current = first;
    },
  };
};
