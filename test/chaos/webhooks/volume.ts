/**
 * The sentence that these tests hold speaks of 10,000 events. Every run of the suite has a fifth of them, so that it
 * costs about a minute on a small machine; `WEBHOOK_CHAOS_EVENTS=10000` gives the whole volume and writes the figures.
 */
const ASKED = process.env.WEBHOOK_CHAOS_EVENTS;

/** The whole volume is asked for, on a machine that has nothing else to do. */
export const WHOLE = Boolean(ASKED);

export const EVENTS = Number(ASKED || 2_000);

/** Room for everything that is killed to come back, and for what waited meanwhile. */
export const TIME_LIMIT_MS = 240_000 + EVENTS * 30;

export const tellFigures = (figures: Readonly<Record<string, unknown>>): void => {
  if (WHOLE) process.stdout.write(`${JSON.stringify(figures)}\n`);
};
