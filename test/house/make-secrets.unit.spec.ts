import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const execute = promisify(execFile);

const script = fileURLToPath(new URL('../../docker/make-secrets.sh', import.meta.url));

/** All that the script calls but openssl. */
const PROGRAMS = ['dirname', 'mkdir', 'chmod', 'cat', 'grep', 'rm', 'mv'];

describe('docker/make-secrets.sh', () => {
  let [place, secrets, path] = ['', '', ''];

  beforeEach(async () => {
    place = mkdtempSync(join(tmpdir(), 'secrets-'));
    [secrets, path] = [join(place, 'secrets'), join(place, 'bin')];
    mkdirSync(path);
    mkdirSync(secrets);
    for (const program of PROGRAMS) {
      const { stdout } = await execute('/bin/sh', ['-c', `command -v ${program}`]);
      symlinkSync(stdout.trim(), join(path, program));
    }
  });

  afterEach(() => rmSync(place, { recursive: true }));

  const openssl = (...lines: readonly string[]) =>
    writeFileSync(join(path, 'openssl'), ['#!/bin/sh', ...lines].join('\n'), { mode: 0o755 });

  const failed = () =>
    execute('/bin/sh', [script, secrets], { env: { PATH: path } }).then(
      () => 'it ended well',
      ({ stderr }) => String(stderr),
    );

  it('ends without openssl, by its name, and leaves nothing', async () => {
    expect(await failed()).toContain('openssl');
    expect(readdirSync(secrets)).toEqual([]);
  });

  it('ends where openssl makes nothing, and leaves nothing', async () => {
    openssl('echo it is broken >&2', 'exit 1');
    expect(await failed()).toContain('it is broken');
    expect(readdirSync(secrets)).toEqual([]);
  });

  it('keeps no secret that is empty, as of a run before', async () => {
    openssl('echo 0123456789');
    writeFileSync(join(secrets, 'postgres-password'), '\n');
    expect(await failed()).toContain('postgres-password is empty');
    expect(readFileSync(join(secrets, 'postgres-password'), 'utf8')).toBe('\n');
    expect(readdirSync(secrets)).toEqual(['postgres-password']);
  });

  it('keeps a list of nodes that has been emptied', async () => {
    openssl('echo 0123456789');
    writeFileSync(join(secrets, 'chain-nodes.env'), '\n');
    // With this openssl it ends at the certificates, behind all that it makes itself.
    expect(await failed()).not.toContain('chain-nodes.env');
    expect(readdirSync(secrets)).toContain('eventstore-url');
    expect(readFileSync(join(secrets, 'chain-nodes.env'), 'utf8')).toBe('\n');
  });
});
