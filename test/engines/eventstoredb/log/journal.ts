import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from './event.ts';
import { decodeLine, encodeLine } from './journalLine.ts';

export type Journal = {
  /** Returns when the operating system has it, so that it outlives the process; not the machine. */
  write(commit: Commit): void;
  close(): void;
};

export const MEMORY_ONLY: Journal = { write: () => {}, close: () => {} };

const NEWLINE = 0x0a;

const decoded = (bytes: Buffer, start: number, end: number) => {
  try {
    return decodeLine(bytes.toString('utf8', start, end));
  } catch (cause) {
    throw new Error(`the journal is damaged at byte ${start}, before its last line: take another directory`, { cause });
  }
};

/** Hands over what the journal kept and tells where its last whole line ends. */
const replay = (bytes: Buffer, restore: (commit: Commit) => void) => {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    restore(decoded(bytes, start, end));
    start = end + 1;
  }
  return start;
};

const writeAt = (fd: number, bytes: Buffer, offset: number) => {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, offset + written);
};

/** What follows the last newline is an append that the kill cut short: nobody was told of it, so it is dropped. */
export const openJournal = (dataDir: string, restore: (commit: Commit) => void): Journal => {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'journal.ndjson');
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT);
  let offset = replay(readFileSync(file), restore);
  if (fstatSync(fd).size > offset) ftruncateSync(fd, offset);
  let open = true;
  return {
    write: (commit) => {
      // After a kill, a delayed append may still come; by then the descriptor can be another file's.
      if (!open) throw new Error('the journal is closed');
      const bytes = Buffer.from(encodeLine(commit));
      writeAt(fd, bytes, offset);
      offset += bytes.length;
    },
    close: () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
};
