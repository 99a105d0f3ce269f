/** An instant as ISO 8601 text in UTC. Instants are compared as instants: their texts may differ in form. */
export type Instant = string;

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** As it is written here, told without a calendar: no day that some months lack. Most times that come in are of this form. */
const asWritten = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** The same instant in UTC with milliseconds; undefined for what is no instant, such as a time without its zone. */
export const readInstant = (text: string): Instant | undefined => {
  if (asWritten.test(text)) return text;
  const time = isoInstant.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

/** `Date` takes the 30th of February for the 2nd of March; up to the 28th there is nothing to mistake. */
export const isCalendarDay = (day: string): boolean => {
  if (day.slice(8) <= '28') return true;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

const day = /^\d{4}-\d{2}-\d{2}$/;

/** As somebody types it: a day alone is its beginning in UTC, and one that its month lacks is none. */
export const readTyped = (text: string): Instant | undefined => {
  const instant = readInstant(day.test(text) ? `${text}T00:00:00Z` : text);
  return isCalendarDay(text.slice(0, 10)) ? instant : undefined;
};

/** Exact to the millisecond. */
export const isAfter = (left: Instant, right: Instant): boolean => Date.parse(left) > Date.parse(right);

export const secondsAfter = (start: Instant, seconds: number): Instant =>
  new Date(Date.parse(start) + seconds * 1000).toISOString();
