import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who leads from this term on, until somebody claims the next. An instance is one life of a node. */
export type Term = { readonly number: number; readonly node: number; readonly instance: string };

const NEWLINE = 0x0a;

const termFile = (dir: string, term: number) => join(dir, `term-${term}.json`);
const sealFile = (dir: string, term: number) => join(dir, `seal-${term}.json`);
export const journalFile = (dir: string, term: number) => join(dir, `journal-${term}.ndjson`);

const draft = (file: string, content: unknown, author: string) => {
  const name = `${file}.${author}`;
  writeFileSync(name, JSON.stringify(content));
  return name;
};

/** With its content at once, by one of those who try: false where somebody was first. */
const createWhole = (file: string, content: unknown, author: string): boolean => {
  const drafted = draft(file, content, author);
  try {
    linkSync(drafted, file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(drafted, { force: true });
  }
};

/** What others may be reading meanwhile. */
export const replaceWhole = (file: string, content: unknown, author: string) =>
  renameSync(draft(file, content, author), file);

export const hasBegun = (dir: string, term: number) => existsSync(termFile(dir, term));

/** The newest from `known` on; undefined before the first. */
export const newestTerm = (dir: string, known = 0): Term | undefined => {
  let number = known;
  while (hasBegun(dir, number + 1)) number++;
  if (number === 0) return undefined;
  return { number, ...(JSON.parse(readFileSync(termFile(dir, number), 'utf8')) as Omit<Term, 'number'>) };
};

export const claim = (dir: string, { number, ...leader }: Term): boolean =>
  createWhole(termFile(dir, number), leader, leader.instance);

/** How much of a term's journal counts; undefined while it is the last one, or nobody has looked yet. */
export const sealOf = (dir: string, term: number): number | undefined => {
  const file = sealFile(dir, term);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
};

/**
 * Once the next term has begun: what is there by now, up to its last whole line. Whoever led answers only when he has
 * found no next term behind his write, so all that was answered counts.
 */
export const seal = (dir: string, term: number, author: string) => {
  if (sealOf(dir, term) !== undefined) return;
  const journal = journalFile(dir, term);
  const bytes = existsSync(journal) && statSync(journal).size > 0 ? readFileSync(journal) : Buffer.alloc(0);
  createWhole(sealFile(dir, term), bytes.lastIndexOf(NEWLINE) + 1, author);
};
