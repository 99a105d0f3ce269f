import type { Call } from '../command.ts';
import { usage } from '../parts/exit.ts';

/** An option that says when. */
export const timeIn = ({ option }: Pick<Call, 'option'>, name: string): Date | undefined => {
  const text = option(name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw usage(`--${name} ${text} is no time, as 2026-01-31T14:05:00Z`);
  return time;
};
