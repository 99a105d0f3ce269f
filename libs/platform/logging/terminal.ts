import type { Writable } from 'node:stream';

const NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

const shortly = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** One JSON line as a person at a terminal wants it: time, level, message, the rest as name=value, stacks below. */
export const terminalLine = (json: string): string => {
  const { level, time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown> & { err?: { stack?: string } };
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const extras = Object.entries(rest).map(([name, value]) => ` ${name}=${shortly(value)}`);
  const stack = err?.stack ? `\n${err.stack}` : '';
  return `${clock} ${NAMES[Number(level)] ?? level} ${msg ?? ''}${extras.join('')}${stack}\n`;
};

export const terminalStream = (out: Writable): { write: (line: string) => void } => ({
  write: (line) => {
    out.write(terminalLine(line));
  },
});
