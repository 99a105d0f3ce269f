import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sayFirstWords } from './first-words.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'first words '));
});

afterEach(() => rm(dataDir, { recursive: true }));

it('says keys and tokens to a terminal', async () => {
  expect(await sayFirstWords('the key', dataDir, true)).toBe('the key');
});

it('keeps what was not read yet, and says only where it is', async () => {
  for (const text of ['the first key', 'another key']) {
    const said = await sayFirstWords(text, join(dataDir, 'new'), false);
    expect(said).toContain(join(dataDir, 'new', 'first-start.txt'));
    expect(said).not.toContain(text);
  }
  expect(await readFile(join(dataDir, 'new', 'first-start.txt'), 'utf8')).toBe('the first key\nanother key\n');
});

it.each(['file', '/proc/nope'])('says how to get others where no file can be written (%s)', async (place) => {
  await writeFile(join(dataDir, 'file'), '');
  const said = await sayFirstWords('the key', resolve(dataDir, place), false);
  expect(said).toMatch(/lost, since no file can be written \(.*\): set OPERATOR_TOKEN/);
  expect(said).not.toContain('the key');
});
