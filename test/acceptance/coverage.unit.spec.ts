import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const fileOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const rows = fileOf('../../docs/reference/coverage.md')
  .split('## Over HTTP')[1]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Clause') && !line.startsWith('| ---'));

type Cited = { readonly file: string; readonly title: string };

/** `file`: title · title; `file`: title */
const cited = (row: string): Cited[] =>
  [...(row.split(' | ')[1] ?? '').matchAll(/`([a-z-]+)`: (.+?)(?=; `[a-z/-]+`| \|$|$)/g)].flatMap(([, file, titles]) =>
    (titles ?? '').split(' · ').map((title) => ({ file: file ?? '', title: title.replace(/ \|$/, '') })),
  );

const sources = new Map(
  readdirSync(new URL('./clauses', import.meta.url)).map((name) => [
    name.replace('.ts', ''),
    fileOf(`./clauses/${name}`),
  ]),
);

/** They bind the others. */
const withoutCases = new Set(['index', 'webhooks']);

/** Sources write an apostrophe as they must. */
const plain = (text: string): string => text.replaceAll("\\'", "'");

describe('the table of clauses', () => {
  it('has a test for each of its rows', () => {
    expect(rows?.filter((row) => !/\| `[^`]+`/.test(row))).toEqual([]);
    expect(rows?.length).toBeGreaterThan(100);
  });

  it('names tests that are there', () => {
    const missing = (rows ?? [])
      .flatMap(cited)
      .filter(({ file, title }) => !plain(sources.get(file) ?? '').includes(title));
    expect(missing).toEqual([]);
  });

  it('leaves no file of clauses out', () => {
    const named = new Set((rows ?? []).flatMap(cited).map(({ file }) => file));
    const files = [...sources.keys()].filter((name) => !withoutCases.has(name));
    expect(files.filter((name) => !named.has(name))).toEqual([]);
  });
});
