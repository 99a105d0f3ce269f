import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ArchiveBroken, type Entry, type Receiver, readArchive, writeArchive } from './index.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'archive-'));
  file = join(directory, 'a.tar.gz');
});
afterEach(() => rmSync(directory, { recursive: true }));

const texts: Readonly<Record<string, string>> = { 'a/empty': '', 'a/one': 'x', 'a/block': 'y'.repeat(512) };

async function* entries(): AsyncGenerator<Entry> {
  yield { path: 'a' };
  for (const [path, text] of Object.entries(texts))
    yield { path, content: { size: text.length, bytes: Readable.from([Buffer.from(text)].filter((b) => b.length)) } };
}

const read = async (path = file) => {
  const files: Record<string, string> = {};
  const directories: string[] = [];
  const manifest = await readArchive(path, {
    directory: async (name) => void directories.push(name),
    file: async (name, bytes) => {
      files[name] = Buffer.concat(await Array.fromAsync(bytes)).toString();
    },
  });
  return { files, directories, manifest };
};

describe('an archive', () => {
  it('gives back what it was made of, and what it holds in words', async () => {
    await writeArchive(file, entries(), ['a key']);
    const { files, directories, manifest } = await read();
    expect([files, directories, manifest.holds]).toEqual([texts, ['a'], ['a key']]);
    expect(readdirSync(directory)).toEqual(['a.tar.gz']);
  });

  it('can be looked into with any tar', async () => {
    await writeArchive(file, entries(), []);
    const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(listed).toEqual(['a/', ...Object.keys(texts), 'manifest.json']);
  });

  it('is read no further once whoever reads it is interrupted', async () => {
    await writeArchive(file, entries(), []);
    const interrupted = new AbortController();
    const receiver: Receiver = {
      directory: async () => interrupted.abort(),
      file: async (_, bytes) => void (await Array.fromAsync(bytes)),
    };
    await expect(readArchive(file, receiver, interrupted.signal)).rejects.toThrow('aborted');
  });

  it('leaves nothing where its making fails, and a file of before as it was', async () => {
    async function* failing(): AsyncGenerator<Entry> {
      yield* entries();
      throw new Error('the disk is full');
    }
    await expect(writeArchive(file, failing(), [])).rejects.toThrow('the disk is full');
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(file, 'of before');
    await expect(writeArchive(file, entries(), [])).rejects.toThrow('EEXIST');
    expect([readdirSync(directory), readFileSync(file, 'utf8')]).toEqual([['a.tar.gz'], 'of before']);
  });

  it('is refused when any byte of it was changed, wherever it was cut off, and when a file was taken out', async () => {
    await writeArchive(file, entries(), []);
    const bytes = gunzipSync(readFileSync(file));
    const broken = join(directory, 'broken');
    const refused = async (made: Buffer): Promise<void> => {
      writeFileSync(broken, gzipSync(made));
      await expect(read(broken)).rejects.toThrow(ArchiveBroken);
    };
    const oneAt = bytes.indexOf('x', 512 * 3);
    await refused(Buffer.concat([bytes.subarray(0, oneAt), Buffer.from('z'), bytes.subarray(oneAt + 1)]));
    for (let at = 0; at < bytes.length - 1_024; at += 256) await refused(bytes.subarray(0, at));
    const empty = bytes.indexOf('a/empty');
    await refused(Buffer.concat([bytes.subarray(0, empty), bytes.subarray(empty + 512)]));
    await refused(Buffer.from(bytes.toString('latin1').replace('a/one', '../ne'), 'latin1'));
  });

  it('is refused wherever its packing was cut off or changed, unless what is in it is the same', async () => {
    await writeArchive(file, entries(), []);
    const [packed, broken] = [readFileSync(file), join(directory, 'broken')];
    const whole = gunzipSync(packed);
    const isSame = (made: Buffer): boolean => {
      try {
        return gunzipSync(made).equals(whole);
      } catch {
        return false;
      }
    };
    const isRead = async (made: Buffer): Promise<boolean> => {
      writeFileSync(broken, made);
      return read(broken).then(
        () => true,
        () => false,
      );
    };
    for (let at = 0; at < packed.length; at += 1) {
      const changed = Buffer.from(packed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      for (const made of [changed, packed.subarray(0, at)])
        expect([at, made.length, await isRead(made)]).toEqual([at, made.length, isSame(made)]);
    }
  });
});
