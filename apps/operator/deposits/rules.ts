import { readInstant } from '#deposits';
import { rule } from '#door/rules';

/** The same instant in UTC; undefined for what is none, and for years that a timestamp may not hold. */
export const instantOf = (value: unknown): string | undefined => {
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  return instant !== undefined && /^(?!0000)\d{4}-/.test(instant) ? instant : undefined;
};

export const IsInstantText = (): PropertyDecorator =>
  rule({
    name: 'isInstantText',
    message: 'must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z',
    holds: (value) => instantOf(value) !== undefined,
  });
