import { type Instant, readInstant } from '#deposits';
import { given, Malformed, type RawSignal } from './fields.ts';

/** Beyond these years a time has no four digits once its zone or a deadline is added, and no column takes it. */
const [FIRST, LAST] = ['0002', '9998'];

/** `Date` takes the 30th of February for the 2nd of March. */
const isCalendarDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** The time of the fact, in UTC with milliseconds. It may be past or future: no clock is asked. */
export const readAt = (raw: RawSignal): Instant => {
  const value = given(raw, 'at');
  if (value === undefined) throw new Malformed('at is missing');
  const at = typeof value === 'string' && isCalendarDay(value.slice(0, 10)) ? readInstant(value) : undefined;
  if (at === undefined) throw new Malformed('at has to be an ISO 8601 time with its zone');
  const year = at.slice(0, 4);
  if (at.startsWith('+') || at.startsWith('-') || year < FIRST || year > LAST)
    throw new Malformed(`at has to lie in the years ${Number(FIRST)} to ${LAST}`);
  return at;
};
