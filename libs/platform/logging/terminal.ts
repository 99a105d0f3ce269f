import type { Writable } from 'node:stream';
import { shownSafely } from '../shown-text/index.ts';

const NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

const shortly = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * One JSON line as a person at a terminal wants it: time, level, message, the rest as name=value, stacks below. What it
 * holds may have come from anybody: of its controls only a stack's ends of lines are obeyed.
 */
export const terminalLine = (json: string): string => {
  const { level, time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown> & { err?: { stack?: string } };
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const extras = Object.entries(rest).map(([name, value]) => ` ${name}=${shortly(value)}`);
  const line = `${clock} ${NAMES[Number(level)] ?? level} ${msg ?? ''}${extras.join('')}`;
  const stack = err?.stack ? err.stack.split('\n') : [];
  return `${[line, ...stack].map(shownSafely).join('\n')}\n`;
};

export const terminalStream = (out: Writable): { write: (line: string) => void } => ({
  write: (line) => {
    out.write(terminalLine(line));
  },
});
