import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

  it.each(['postgres-password', 'database-url', 'eventstore.env'])('replaces no %s of no bytes', async (name) => {
    openssl('echo 0123456789');
    writeFileSync(join(secrets, name), '');
    expect(await failed()).toContain(`${name} is empty`);
    expect(readFileSync(join(secrets, name), 'utf8')).toBe('');
  });

  it('keeps a list of nodes that has been emptied', async () => {
    openssl('echo 0123456789');
    writeFileSync(join(secrets, 'chain-nodes.env'), '\n');
    // With this openssl it ends at the certificates, behind all that it makes itself.
    expect(await failed()).not.toContain('chain-nodes.env');
    expect(readdirSync(secrets)).toContain('eventstore-url');
    expect(readFileSync(join(secrets, 'chain-nodes.env'), 'utf8')).toBe('\n');
  });

  describe('with the openssl of this machine', () => {
    let real = '';

    beforeEach(async () => {
      real = (await execute('/bin/sh', ['-c', 'command -v openssl'])).stdout.trim();
    });

    const says = async (...args: readonly string[]) => (await execute(real, args, { cwd: secrets })).stdout;

    const certificates = () => readdirSync(secrets).filter((name) => /[.](?:crt|key|srl)$/.test(name));

    const unfinished = () => readdirSync(secrets).filter((name) => /^[.]|[.](?:request|extensions)$/.test(name));

    it('makes an authority and what it vouches for without what older ones do not know', async () => {
      openssl('case " $* " in *" -addext "*) echo "unknown option -addext" >&2; exit 1;; esac', `exec ${real} "$@"`);
      expect(await failed()).toBe('it ended well');
      expect(unfinished()).toEqual([]);
      const nodes = ['eventstore-1', 'eventstore-2', 'eventstore-3'];
      for (const node of nodes) {
        const verified = await says('verify', '-x509_strict', '-CAfile', 'eventstore-ca.crt', `${node}.crt`);
        expect(verified).toContain('OK');
        const text = await says('x509', '-in', `${node}.crt`, '-noout', '-text');
        expect(text).toContain(`DNS:${node}, DNS:localhost, IP Address:127.0.0.1`);
        const ofKey = await says('pkey', '-in', `${node}.key`, '-pubout');
        expect(await says('x509', '-in', `${node}.crt`, '-noout', '-pubkey')).toBe(ofKey);
      }
      const authority = await says('x509', '-in', 'eventstore-ca.crt', '-noout', '-text');
      expect(authority).toMatch(/Basic Constraints: critical\s+CA:TRUE/);
      expect(authority).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign/);
      expect(statSync(join(secrets, 'eventstore-ca.key')).mode & 0o777).toBe(0o600);
      expect(statSync(join(secrets, 'eventstore-1.key')).mode & 0o777).toBe(0o644);
      const made = certificates().map((name) => readFileSync(join(secrets, name), 'utf8'));
      expect(await failed()).toBe('it ended well');
      expect(certificates().map((name) => readFileSync(join(secrets, name), 'utf8'))).toEqual(made);
    });

    it.each([
      ['req -x509', 'eventstore-ca.crt', []],
      ['req -new', 'eventstore-1.request', ['eventstore-ca.crt', 'eventstore-ca.key']],
      ['x509 -req', 'eventstore-1.crt', ['eventstore-ca.crt', 'eventstore-ca.key']],
    ])('says what openssl has against %s, and leaves nothing half made', async (step, file, left) => {
      openssl(`case "$*" in "${step}"*) echo "it is too old" >&2; exit 1;; esac`, `exec ${real} "$@"`);
      const said = await failed();
      expect(said).toContain(`${file} `);
      expect(said).toContain('it is too old');
      expect(said).toContain(join(path, 'openssl'));
      expect(certificates()).toEqual(left);
      expect(unfinished()).toEqual([]);
    });

    it('ends where openssl says that it has made a certificate, and has not', async () => {
      openssl('case "$*" in "x509 -req"*) exit 0;; esac', `exec ${real} "$@"`);
      expect(await failed()).toContain('eventstore-1.crt ');
      expect(unfinished()).toEqual([]);
    });
  });
});
