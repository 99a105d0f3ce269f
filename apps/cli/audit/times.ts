import { readInstant } from '#deposits';
import type { Call } from '../command.ts';
import { usage } from '../parts/exit.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * An option that says when: a day in UTC, up to its end where it is the last, or a time with its zone. One without would be another moment on each machine,
 * and leave out of what is proven whatever lies between.
 */
export const timeIn = ({ option }: Pick<Call, 'option'>, name: string): Date | undefined => {
  const text = option(name);
  if (text === undefined) return undefined;
  const instant = readInstant(DAY.test(text) ? `${text}${name === 'to' ? 'T23:59:59.999Z' : 'T00:00:00Z'}` : text);
  // A day that its month lacks is read as one of the next.
  if (instant === undefined || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() !== Number(text.slice(8, 10)))
    throw usage(`--${name} ${text} is no day, as 2026-01-31, and no time with its zone, as 2026-01-31T14:05:00Z`);
  return new Date(instant);
};
