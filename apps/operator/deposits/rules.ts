import { Matches, ValidateBy } from 'class-validator';
import { readInstant } from '#deposits';

/** At most 15 digits: every one of them is a number that a database and a double can hold. */
export const IsIdText = (): PropertyDecorator => Matches(/^[0-9]{1,15}$/, { message: 'must be an id: digits alone' });

/** The same instant in UTC; undefined for what is none, and for years that a timestamp may not hold. */
export const instantOf = (value: unknown): string | undefined => {
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  return instant !== undefined && /^(?!0000)\d{4}-/.test(instant) ? instant : undefined;
};

export const IsInstantText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstantText',
    validator: {
      validate: (value) => instantOf(value) !== undefined,
      defaultMessage: () => 'must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z',
    },
  });
