import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { itWhere } from '../../support/jest-left-out.ts';
import { makeCheckout } from './checkout.ts';
import { type Scratch, scratchDirectory } from './data-directory.ts';
import { kill, type Owner, type OwnerOptions, query, startOwner } from './owner-process.ts';
import { processes } from './processes.ts';

const isRoot = process.geteuid?.() === 0;
const succeeds = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const itAsRoot = itWhere(isRoot, 'only root can do this');
const itInNamespace = itWhere(
  isRoot && succeeds('unshare', '--user', '--map-root-user', 'true'),
  'only root of a Linux with user namespaces can do this',
);
const itWithMounts = itWhere(
  isRoot && succeeds('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'),
  'only root of a Linux that may mount can do this',
);

/** Exists everywhere, owns nothing, and is not who root's Postgres runs as. */
const daemon = { uid: 1, gid: 1 };
const inNamespace = ['unshare', '--user', '--map-root-user', '--'];

/** A Node and a checkout that any user can reach: this one may lie where only root may enter, as under /root. */
let everyones: Scratch;
let asDaemon: OwnerOptions & { readonly node: string; readonly program: string };

beforeAll(() => {
  everyones = scratchDirectory('everyones');
  chmodSync(everyones.path, 0o755);
  const node = join(everyones.path, 'node');
  copyFileSync(process.execPath, node);
  asDaemon = { ...daemon, node, program: makeCheckout(join(everyones.path, 'checkout')) };
});

afterAll(() => {
  everyones.remove();
});

let scratch: Scratch;
let temporary: string;
let owners: Owner[];

beforeEach(() => {
  scratch = scratchDirectory("o'clock Кошелёк");
  chmodSync(scratch.path, 0o755);
  temporary = join(scratch.path, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  owners = [];
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => kill(owner, 'SIGTERM')));
  scratch.remove();
});

const start = (directory: string, options: OwnerOptions = {}): Owner => {
  const owner = startOwner(directory, { env: { ...process.env, TMPDIR: temporary }, ...options });
  owners.push(owner);
  return owner;
};

const directoryOf = (name: string, user: { uid: number; gid: number }, mode = 0o700): string => {
  const path = join(scratch.path, name);
  mkdirSync(path, { mode });
  chownSync(path, user.uid, user.gid);
  return path;
};

const root = { uid: 0, gid: 0 };

/** Whom nobody else is. */
const own = 60_731;
const dataOwner = (directory: string): number => lstatSync(join(directory, 'postgres', 'data')).uid;
const commandOf = (pid: number) => processes().find((listed) => listed.pid === pid);

/** What a server does in its life: write, checkpoint, read its settings again, die and recover. */
const workAndRecover = async (directory: string, options: OwnerOptions = {}): Promise<void> => {
  const owner = start(directory, options);
  const { url, pid } = await owner.server;
  await query(url, 'DROP TABLE IF EXISTS coins');
  await query(url, 'CREATE TABLE coins AS SELECT generate_series(1, 20000) AS id');
  await query(url, 'DROP DATABASE IF EXISTS other');
  await query(url, 'CREATE DATABASE other');
  await query(url, 'CHECKPOINT');
  expect(await query(url, 'SELECT pg_reload_conf() AS reloaded')).toEqual([{ reloaded: true }]);
  await query(url, 'DELETE FROM coins WHERE id > 10000');
  process.kill(pid, 'SIGKILL');
  await owner.ended;
  const next = start(directory, options);
  const rows = await query((await next.server).url, 'SELECT count(*)::int AS coins FROM coins');
  expect(rows).toEqual([{ coins: 10000 }]);
  await kill(next, 'SIGTERM');
};

describe('Postgres of root', () => {
  itAsRoot('runs as a user of its own, with the data under a home that only root may enter', async () => {
    const home = directoryOf('home', root);
    const data = join(home, 'data');
    await workAndRecover(data);
    const { pid } = await start(data).server;
    expect(commandOf(pid)?.user).toBe(String(own));
  });

  const readAs = (uid: number, path: string) => spawnSync('/bin/cat', [path], { uid, gid: uid, encoding: 'utf8' });

  itAsRoot('lets no process of another user, nor itself, read its password', async () => {
    const data = join(directoryOf('home', root), 'data');
    const { pid } = await start(data).server;
    for (const user of [65534, daemon.uid, own]) {
      const { status, stdout } = readAs(user, `/proc/${pid}/cwd/../password`);
      expect([status === 0, stdout]).toEqual([false, '']);
    }
    expect(readAs(65534, `/proc/${pid}/cwd/pg_hba.conf`).status).not.toBe(0);
  });

  itAsRoot('takes over the data of a release that ran it as nobody', async () => {
    const data = join(directoryOf('home', root), 'data');
    const first = start(data);
    await query((await first.server).url, 'CREATE TABLE coins AS SELECT generate_series(1, 10) AS id');
    await kill(first, 'SIGTERM');
    execFileSync('chown', ['-R', '65534:65534', join(data, 'postgres')]);
    const { url, pid } = await start(data).server;
    expect(await query(url, 'SELECT count(*)::int AS coins FROM coins')).toEqual([{ coins: 10 }]);
    expect(commandOf(pid)?.user).toBe(String(own));
    expect([dataOwner(data), lstatSync(join(data, 'postgres', 'password')).uid]).toEqual([own, 0]);
  });

  itAsRoot('runs from a copy, when the checkout too lies where only root may enter', async () => {
    const home = directoryOf('home', root);
    const program = makeCheckout(join(home, 'a checkout'));
    const { pid, url } = await start(join(home, 'data'), { program }).server;
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(commandOf(pid)?.command).toContain(temporary);
  });

  itAsRoot('runs from a copy elsewhere, when no shell could be told the path of checkout and TMPDIR', async () => {
    const quoted = directoryOf('"quoted"', root, 0o755);
    const program = makeCheckout(join(quoted, 'checkout'));
    const env = { ...process.env, TMPDIR: quoted };
    const { pid } = await start(join(quoted, 'data'), { program, env }).server;
    expect(commandOf(pid)?.command).toMatch(/^\/var\/tmp\/cointill-postgres-/);
  });

  itAsRoot('never runs programs that another user has put where the copy would go', async () => {
    const home = directoryOf('home', root);
    const program = makeCheckout(join(home, 'checkout'));
    const first = start(join(home, 'data'), { program });
    await first.server;
    await kill(first, 'SIGTERM');
    const [copy = ''] = readdirSync(temporary).map((name) => join(temporary, name));
    chownSync(copy, daemon.uid, daemon.gid);
    const { pid } = await start(join(home, 'data'), { program }).server;
    expect(commandOf(pid)?.command).not.toContain(temporary);
  });

  itInNamespace('runs in a namespace of its own, when root has no other user to switch to', async () => {
    const home = directoryOf('home', root);
    const data = join(home, 'data');
    await workAndRecover(data, { prefix: inNamespace });
    expect(dataOwner(data)).toBe(0);
    await workAndRecover(join(home, 'data'));
    expect(dataOwner(data)).toBe(own);
  });

  itAsRoot('leaves the data of an ordinary user to that user', async () => {
    const data = directoryOf('data', daemon);
    await kill(await served(start(data, asDaemon)), 'SIGTERM');
    await kill(await served(start(data)), 'SIGTERM');
    expect(dataOwner(data)).toBe(daemon.uid);
    await kill(await served(start(data, asDaemon)), 'SIGTERM');
  });
});

const served = async (owner: Owner): Promise<Owner> => {
  await owner.server;
  return owner;
};

describe('Postgres of an ordinary user', () => {
  itAsRoot('runs from a checkout that this user cannot write and that lacks the links of libraries', async () => {
    const checkout = directoryOf('checkout', root, 0o755);
    const program = makeCheckout(checkout);
    const home = directoryOf('home', daemon);
    const { pid } = await start(join(home, 'data'), { ...asDaemon, program }).server;
    expect(commandOf(pid)).toEqual(
      expect.objectContaining({ user: 'daemon', command: expect.stringContaining(temporary) }),
    );
  });

  itAsRoot('makes the missing links of libraries, also when two starts do so at once', async () => {
    const checkout = directoryOf('checkout', root);
    const program = makeCheckout(checkout);
    execFileSync('chown', ['-R', `${daemon.uid}:${daemon.gid}`, checkout]);
    const both = ['one', 'two'].map((name) => start(join(checkout, name), { ...asDaemon, program }));
    for (const { server } of both) expect(commandOf((await server).pid)?.command).toContain(checkout);
  });

  itAsRoot('is refused a directory that this user cannot write, in one line that names it', async () => {
    const data = directoryOf('data', root, 0o755);
    await expect(start(data, asDaemon).server).rejects.toThrow(
      `DATA_DIR ${data} cannot be written by this user: set another DATA_DIR`,
    );
  });

  itAsRoot('is refused data that root has made, in one line that names it', async () => {
    const data = directoryOf('data', root);
    await kill(await served(start(data)), 'SIGTERM');
    chownSync(data, daemon.uid, daemon.gid);
    await expect(start(data, asDaemon).server).rejects.toThrow(
      `DATA_DIR ${data} belongs to another user (uid ${own}): set another DATA_DIR`,
    );
  });
});

describe('a full disk', () => {
  itWithMounts('refuses a first start in one line that names DATA_DIR, and leaves nothing of it', async () => {
    const data = directoryOf('data', root);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', data]);
    try {
      await expect(start(data).server).rejects.toThrow(`DATA_DIR ${data} is on a full disk: set another DATA_DIR`);
      expect(readdirSync(data)).toEqual([]);
    } finally {
      execFileSync('umount', [data]);
    }
  });
});
