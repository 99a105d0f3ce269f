import { readTyped } from '#deposits';
import type { Call } from '../command.ts';
import { usage } from '../parts/exit.ts';

const DAY_MS = 86_400_000;
/** The service knows no year before. */
const FIRST = '0001';
const isDay = (text: string): boolean => !text.includes('T');

/**
 * An option that says when: a day in UTC, up to its end where it is the last, or a time with its zone. One without would
 * be another moment on each machine, and leave out of what is proven whatever lies between.
 */
export const timeIn = ({ option }: Pick<Call, 'option'>, name: string): Date | undefined => {
  const text = option(name);
  if (text === undefined) return undefined;
  const instant = readTyped(text);
  if (instant === undefined || instant < FIRST)
    throw usage(`--${name} ${text} is no day, as 2026-01-31, and no time with its zone, as 2026-01-31T14:05:00Z`);
  const end = name === 'to' && isDay(text) ? DAY_MS - 1 : 0;
  return new Date(Date.parse(instant) + end);
};
