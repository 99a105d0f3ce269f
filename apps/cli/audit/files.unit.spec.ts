import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSeal } from './files.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'cointill-seal-files-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const head = { stream: 'deposit-1', revision: 6, hash: 'a'.repeat(64) };

const headsBehind = async (...lines: readonly string[]) => {
  const file = join(directory, 'seal.ndjson');
  writeFileSync(file, ['{"signature":"x"}', JSON.stringify(head), ...lines, ''].join('\n'));
  const { heads } = await readSeal(file);
  return heads && Array.fromAsync(heads);
};

it('a file of a seal that is not there, or is none, is named as what cannot be read', async () => {
  for (const file of [join(directory, 'nowhere.ndjson'), directory])
    await expect(readSeal(file)).rejects.toMatchObject({ code: 2, message: `${file} cannot be read` });
});

describe('the heads in the file of a seal', () => {
  it('are read a line each', async () => {
    expect(await headsBehind('', JSON.stringify({ ...head, stream: 'deposit-2' }))).toEqual([
      head,
      { ...head, stream: 'deposit-2' },
    ]);
  });

  it.each(['null', '7', '[]', '{}', '{"stream":"deposit-2","revision":"6","hash":"aa"}', '{"stream":"deposit-2"'])(
    'are named by their line where one is none: %s',
    async (line) => {
      await expect(headsBehind(line)).rejects.toMatchObject({ code: 2, message: expect.stringMatching(/line 3 /) });
    },
  );

  it('have nothing added to them, which no seal is over', async () => {
    await expect(headsBehind(JSON.stringify({ ...head, note: 'x' }))).rejects.toThrow(/line 3 /);
  });
});
