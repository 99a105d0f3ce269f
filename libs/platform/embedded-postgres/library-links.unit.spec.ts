import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { restoreLibraryLinks } from './library-links.ts';

let native: string;

beforeEach(() => {
  native = join(mkdtempSync(join(tmpdir(), 'libraries ')), 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
});

afterEach(() => rmSync(join(native, '..'), { recursive: true }));

const library = (version: number): string => `native/lib/libpq.so.5.${version}`;

const list = (version: number): void => {
  writeFileSync(join(native, '..', library(version)), 'the library');
  const links = [{ source: library(version), target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
};

describe('the links between libraries', () => {
  it('are made where they are missing, once', () => {
    list(18);
    restoreLibraryLinks(native);
    restoreLibraryLinks(native);
    expect(readlinkSync(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
  });

  it('leave a library alone whose version is the number of this process, as small ones are in a container', () => {
    list(process.pid);
    restoreLibraryLinks(native);
    expect(readFileSync(join(native, 'lib/libpq.so.5'), 'utf8')).toBe('the library');
  });
});
