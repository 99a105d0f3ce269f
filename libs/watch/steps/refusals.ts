/** Where it is not refused for so long the two hours begin anew; who is away for a moment has not taken it. */
export const LAPSES_MS = 300_000;

/**
 * Since when there was no such gap in which nobody asked, be it that nobody watched or that no node was there. One payment
 * of thousands may be asked of more seldom than that, and is refused all the same: what counts is that it is asked all the
 * while. A watcher that begins goes on where another one stopped.
 */
export const createUnbroken = () => {
  let [since, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return (now: number): Date => {
    if (now - last >= LAPSES_MS) since = now;
    last = now;
    return new Date(Math.min(since, now - LAPSES_MS));
  };
};

export type Unbroken = ReturnType<typeof createUnbroken>;
