import { createHash } from 'node:crypto';

/** What is shown of one act, and kept with it for good. */
const LONGEST = 64_000;
const LONGEST_TEXT = 2_000;
const BEGINNING = 200;
const ENTRIES = 50;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const textCut = (text: string): string =>
  text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, BEGINNING).toWellFormed()}\u2026 (${text.length} characters, SHA-256 ${digestOf(text)})`;

const listCut = (list: readonly unknown[]): readonly unknown[] =>
  list.length <= ENTRIES
    ? list
    : [
        ...list.slice(0, ENTRIES),
        `\u2026 and ${list.length - ENTRIES} more (SHA-256 of all ${digestOf(JSON.stringify(list))})`,
      ];

type Cut = {
  readonly texts: (text: string) => string;
  readonly lists: (list: readonly unknown[]) => readonly unknown[];
};

const cut = (value: unknown, by: Cut): unknown => {
  if (typeof value === 'string') return by.texts(value);
  if (Array.isArray(value)) return by.lists(value).map((entry) => cut(entry, by));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, cut(held, by)]));
};

const fits = (value: unknown): boolean => JSON.stringify(value ?? null).length <= LONGEST;

/** As others may have to look at it, and as it may be kept: whoever asks chooses how much he sends, and how often. */
export const briefly = (value: unknown): unknown => {
  const texts = cut(value, { texts: textCut, lists: (list) => list });
  if (fits(texts)) return texts;
  const lists = cut(value, { texts: textCut, lists: listCut });
  return fits(lists) ? lists : textCut(JSON.stringify(value));
};
