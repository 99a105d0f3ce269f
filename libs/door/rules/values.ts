import { isCalendarDay } from '#deposits';
import { parseDecimal } from '#money';
import { rule } from './rules.ts';

/** Without 24:00, and with no zone further away than the database takes. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d))?$/;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const END = Date.parse('9999-12-31T23:59:59.999Z');

/** A date, or a time with its zone, that has an ISO 8601 text again; it may be in the past. */
export const IsTime = (): PropertyDecorator =>
  rule({
    name: 'isTime',
    message: 'must be an ISO 8601 time with its zone',
    holds: (value) => {
      if (typeof value !== 'string' || !ISO_TIME.test(value)) return false;
      const at = Date.parse(value);
      return at >= FIRST && at <= END && isCalendarDay(value.slice(0, 10));
    },
  });

const MAX_URL = 2048;

export const IsHttpUrl = (): PropertyDecorator =>
  rule({
    name: 'isHttpUrl',
    message: `must be an http or https URL of at most ${MAX_URL} characters`,
    holds: (value) =>
      typeof value === 'string' &&
      value.length <= MAX_URL &&
      // Written with a backslash, its host is another one to whoever reads it than to whoever calls it.
      /^https?:\/\/[^\s\0/\\][^\s\0\\]*$/i.test(value) &&
      URL.canParse(value),
  });

/** JSON that a database keeps as it came: NUL and halves of surrogate pairs have no place there. */
export const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
};

/** A list of whatever was sent. */
export const IsJsonList = ({ most }: { readonly most: number }): PropertyDecorator =>
  rule({
    name: 'isJsonList',
    message: `must be a list of at most ${most} JSON values without NUL`,
    holds: (value) => Array.isArray(value) && value.length <= most && isStorable(value),
  });

/** An id or a count in a query. */
export const IsDigits = (): PropertyDecorator =>
  rule({
    name: 'isDigits',
    message: 'must be 1 to 15 digits',
    holds: (value) => typeof value === 'string' && /^[0-9]{1,15}$/.test(value),
  });

/** An id in a body. */
export const IsId = (): PropertyDecorator =>
  rule({
    name: 'isId',
    message: 'must be a positive integer',
    holds: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  });

/** An amount or a price. Text, because a JSON number goes through a double. */
export const IsPositiveDecimal = ({ orNull = false } = {}): PropertyDecorator =>
  rule({
    name: 'isPositiveDecimal',
    message: `must be ${orNull ? 'null or ' : ''}a decimal string above zero, such as "60000.50"`,
    holds: (value) => (orNull && value === null) || (parseDecimal(value)?.greaterThan(0) ?? false),
  });
