import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import type { Layout } from './layout.ts';

const keptBytes = 10 * 1024 * 1024;

export type LogFile = { readonly descriptor: number; readonly written: () => string; readonly close: () => void };

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const readFrom = (path: string, start: number): string => {
  const buffer = Buffer.alloc(64 * 1024);
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start));
  } finally {
    closeSync(descriptor);
  }
};

/** DATA_DIR/postgres.log, with one older beside it. `written` gives what this start has added. */
export const openLogFile = (layout: Layout): LogFile => {
  if (sizeOf(layout.log) > keptBytes) renameSync(layout.log, `${layout.log}.1`);
  const start = sizeOf(layout.log);
  const descriptor = openSync(layout.log, 'a', 0o600);
  return {
    descriptor,
    written: () => readFrom(layout.log, start),
    close: () => closeSync(descriptor),
  };
};
