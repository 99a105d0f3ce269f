import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Commit } from '../log/event.ts';
import { decodeLine, encodeLine } from '../log/journalLine.ts';
import { hasBegun, journalFile, sealOf } from './terms.ts';

export type SharedJournal = {
  /** Hands over what others have written since. */
  readonly catchUp: () => void;
  /** From now on this node writes, in a term of its own. */
  readonly lead: (term: number) => void;
  readonly write: (commit: Commit) => void;
};

const NEWLINE = 0x0a;

const bytesFrom = (file: string, offset: number, end: number | undefined): Buffer => {
  if (!existsSync(file)) return Buffer.alloc(0);
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, (end ?? fstatSync(fd).size) - offset));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(fd);
  }
};

/** One journal a term, each written by its leader alone. `onStray`: a write of ours came after the end of our term. */
export const openSharedJournal = (
  dir: string,
  replicate: (commit: Commit) => void,
  onStray: () => never,
): SharedJournal => {
  let [term, offset] = [1, 0];
  let mine: { readonly term: number; readonly fd: number } | undefined;

  const apply = (bytes: Buffer) => {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      replicate(decodeLine(bytes.toString('utf8', start, end)));
      start = end + 1;
    }
    offset += start;
  };

  /** Whether there may be more in the next term. */
  const catchUpInTerm = (): boolean => {
    const sealed = sealOf(dir, term);
    const bytes = bytesFrom(journalFile(dir, term), offset, sealed);
    // What was read before the next term began counts; else only a seal tells how much does.
    if (sealed === undefined && hasBegun(dir, term + 1)) return sealOf(dir, term) !== undefined;
    apply(bytes);
    if (sealed === undefined || offset < sealed) return false;
    [term, offset] = [term + 1, 0];
    return true;
  };

  return {
    catchUp: () => {
      while (catchUpInTerm());
    },
    lead: (number) => {
      if (mine) closeSync(mine.fd);
      mine = { term: number, fd: openSync(journalFile(dir, number), 'a') };
      [term, offset] = [number, 0];
    },
    write: (commit) => {
      if (!mine) throw new Error('only a leader writes');
      const bytes = Buffer.from(encodeLine(commit));
      for (let written = 0; written < bytes.length; ) written += writeSync(mine.fd, bytes, written);
      if (hasBegun(dir, mine.term + 1)) onStray();
      offset += bytes.length;
    },
  };
};
