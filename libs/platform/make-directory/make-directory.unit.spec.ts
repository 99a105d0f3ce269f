import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeDirectory } from './index.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'make '));
});

afterEach(() => rmSync(root, { recursive: true }));

it('makes a directory with all above it, for whom it is told, and leaves one that is there', () => {
  const path = join(root, 'a', 'b');
  for (const _ of [1, 2]) makeDirectory(path, 0o700);
  expect([path, join(root, 'a')].map((made) => statSync(made).mode & 0o777)).toEqual([0o700, 0o700]);
  makeDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('refuses a file, and what leads through one, as the system does', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeDirectory(file)).toThrow('EEXIST');
  expect(() => makeDirectory(join(file, 'below'))).toThrow('ENOTDIR');
});

it('ends where a directory takes no other', () => {
  expect(() => makeDirectory('/proc/nope/below')).toThrow(/^(ENOENT|EPERM|EACCES): /);
});
