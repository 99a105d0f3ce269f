import { readTyped } from '#deposits';

/** UTC with seconds, as it stands in logs and answers. */
export const timeText = (at: string): string => at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, 'Z');

/** A time as somebody has typed it: one that names no zone is of UTC, wherever the browser stands. NaN: it is none. */
export const timeTyped = (typed: string): number => {
  const text = typed.trim().replace(' ', 'T');
  return Date.parse(readTyped(text) ?? readTyped(`${text}Z`) ?? '');
};

export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  ) : (
    <>–</>
  );

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** In its largest unit. */
export const ageText = (at: string, now = Date.now()): string => {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
};
