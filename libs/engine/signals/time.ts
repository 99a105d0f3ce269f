import { type Instant, readInstant } from '#deposits';
import type { Kind } from './kinds.ts';
import { Malformed } from './raw-signal.ts';

/** Beyond these years a time has no four digits once its zone or a deadline is added, and no column takes it. */
const [FIRST, LAST] = ['0002', '9998'];

/** `Date` takes the 30th of February for the 2nd of March. */
const isCalendarDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** In UTC with milliseconds. It may be past or future: no clock is asked. */
export const instant: Kind<Instant> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, name) => {
    if (value === undefined) throw new Malformed(`${name} is missing`);
    const time = typeof value === 'string' && isCalendarDay(value.slice(0, 10)) ? readInstant(value) : undefined;
    if (time === undefined) throw new Malformed(`${name} has to be an ISO 8601 time with its zone`);
    const year = time.slice(0, 4);
    if (time.startsWith('+') || time.startsWith('-') || year < FIRST || year > LAST)
      throw new Malformed(`${name} has to lie in the years ${Number(FIRST)} to ${LAST}`);
    return time;
  },
};
