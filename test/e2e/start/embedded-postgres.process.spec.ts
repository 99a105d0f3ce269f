import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Scratch, scratchDirectory } from './data-directory.ts';
import { kill, type Owner, type OwnerOptions, query, startOwner } from './owner-process.ts';
import { guardsOf, isAlive, untilGone } from './processes.ts';

let scratch: Scratch;
let dataDir: string;
let owners: Owner[];
let used: Scratch;

beforeAll(async () => {
  used = scratchDirectory();
  const owner = startOwner(join(used.path, 'data'));
  await owner.server;
  await kill(owner, 'SIGTERM');
}, 60_000);

afterAll(() => used.remove());

/** A data directory as a start before has left it: making one is not what most of these tests are about. */
const usedBefore = (): void => {
  execFileSync('cp', ['-a', join(used.path, 'data'), dataDir]);
};

beforeEach(() => {
  scratch = scratchDirectory();
  dataDir = join(scratch.path, 'data');
  owners = [];
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => kill(owner, 'SIGTERM')));
  scratch.remove();
});

const start = (directory = dataDir, options: OwnerOptions = {}): Owner => {
  const owner = startOwner(directory, options);
  owners.push(owner);
  return owner;
};

const locks = (): string[] => readdirSync(dataDir).filter((file) => file.endsWith('.lock'));

const count = async (url: string) => query(url, 'SELECT count(*)::int AS coins FROM coins');

describe('a Postgres in a data directory', () => {
  it('serves from a fresh directory, and serves the same data at the next start', async () => {
    const first = start();
    const { url } = await first.server;
    await query(url, "CREATE TABLE coins AS SELECT 'Кошелёк' AS name");
    expect(await kill(first, 'SIGTERM')).toBe(0);
    const second = await start().server;
    expect(await query(second.url, 'SELECT name FROM coins')).toEqual([{ name: 'Кошелёк' }]);
  });

  it('keeps what it has confirmed, checks its pages and speaks UTF-8', async () => {
    usedBefore();
    const { url } = await start().server;
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'server_encoding', 'timezone'];
    const [row] = await query(url, `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`);
    expect(row).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      timezone: 'UTC',
    });
  });

  it('lets nobody in without the password, which only its owner can read', async () => {
    usedBefore();
    const { url } = await start().server;
    const guess = new URL(url);
    guess.password = 'guess';
    await expect(query(guess.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
  });

  it('leaves no process and no lock behind when it is stopped', async () => {
    usedBefore();
    const owner = start();
    const { pid } = await owner.server;
    const guards = guardsOf(pid);
    expect(guards).toHaveLength(1);
    expect(locks()).toHaveLength(1);
    await kill(owner, 'SIGTERM');
    await Promise.all(guards.map(untilGone));
    expect([isAlive(pid), locks()]).toEqual([false, []]);
  });

  it('works under a path that is too long for a socket', async () => {
    dataDir = join(scratch.path, 'd'.repeat(120), 'e'.repeat(120), 'f'.repeat(120));
    expect(await query((await start().server).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a second start on the same directory', () => {
  it('is refused with the variable to change and the process that has it', async () => {
    usedBefore();
    const first = start();
    await first.server;
    const second = start();
    await expect(second.server).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by process ${first.child.pid}: set another DATA_DIR`,
    );
    expect(await second.ended).toBe(1);
  });

  it('at the very same moment leaves one of the two serving', async () => {
    const both = await Promise.allSettled([start().server, start().server]);
    const won = both.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const lost = both.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(lost.every((reason) => reason.includes('is in use by process'))).toBe(true);
    expect(won).toHaveLength(1);
    for (const { url } of won) expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('after a kill', () => {
  it('of its owner, Postgres shuts down by itself and the next start has every confirmed row', async () => {
    usedBefore();
    const owner = start();
    const { url, pid } = await owner.server;
    await query(url, 'CREATE TABLE coins AS SELECT generate_series(1, 1000) AS id');
    await kill(owner, 'SIGKILL');
    await untilGone(pid);
    expect(locks()).toHaveLength(1);
    expect(await count((await start().server).url)).toEqual([{ coins: 1000 }]);
    expect(locks()).toHaveLength(1);
  });

  it.each([
    ['', undefined],
    [' that another mount gave another mark', 'cointill-0123456789ab'],
  ])('of its owner and its guard, the orphaned Postgres%s is stopped by the next start', async (_, mark) => {
    usedBefore();
    const owner = start(dataDir, { mark });
    const { url, pid } = await owner.server;
    await query(url, 'CREATE TABLE coins AS SELECT generate_series(1, 1000) AS id');
    for (const guard of guardsOf(pid)) process.kill(guard, 'SIGKILL');
    await kill(owner, 'SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const next = start();
    expect(await count((await next.server).url)).toEqual([{ coins: 1000 }]);
    expect(isAlive(pid)).toBe(false);
    expect(next.stderr()).toContain(`a Postgres of an earlier run still works in ${dataDir} (process ${pid})`);
  });

  it('of Postgres, its owner is told at once and the next start recovers', async () => {
    usedBefore();
    const owner = start();
    const { url, pid } = await owner.server;
    await query(url, 'CREATE TABLE coins AS SELECT generate_series(1, 1000) AS id');
    process.kill(pid, 'SIGKILL');
    expect(await owner.ended).toBe(1);
    expect(owner.stderr()).toContain(`Postgres in ${dataDir} ended by itself (SIGKILL)`);
    expect(await count((await start().server).url)).toEqual([{ coins: 1000 }]);
  });

  it('of everything at once, a stranger who was given the old pid is left alone', async () => {
    usedBefore();
    const owner = start();
    const { pid } = await owner.server;
    process.kill(pid, 'SIGKILL');
    await owner.ended;
    // Of the same user as the server: Postgres itself already overlooks those of other users.
    const { uid, gid } = statSync(join(dataDir, 'postgres', 'data'));
    const stranger = spawn('sleep', ['60'], { uid, gid });
    writeFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${stranger.pid}\n/proc/self/cwd\n1\n5432\n`);
    await start().server;
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    stranger.kill();
  });

  it('of the machine, a pid file without contents stops no start', async () => {
    usedBefore();
    writeFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), '');
    await start().server;
  });

  it('in the middle of the first start, the next one begins anew', async () => {
    mkdirSync(dataDir);
    const seen = Promise.withResolvers<void>();
    const watcher = watch(dataDir, (_, file) => file?.startsWith('postgres.new-') && seen.resolve());
    const owner = start();
    await seen.promise;
    watcher.close();
    await kill(owner, 'SIGKILL');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(await query((await start().server).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).filter((file) => file.startsWith('postgres.new-'))).toEqual([]);
  });
});

describe('a data directory that cannot serve is refused in one line that names it', () => {
  const refusal = async (directory: string): Promise<string> =>
    start(directory).server.then(
      () => 'it started',
      (error: Error) => error.message.replace('EmbeddedPostgresError: ', ''),
    );

  it('when it is a file', async () => {
    writeFileSync(dataDir, '');
    expect(await refusal(dataDir)).toBe(`DATA_DIR ${dataDir} is a file, not a directory: set another DATA_DIR`);
  });

  it('when it lies below a file', async () => {
    writeFileSync(dataDir, '');
    const below = join(dataDir, 'data');
    expect(await refusal(below)).toBe(`DATA_DIR ${below} leads through a file, not a directory: set another DATA_DIR`);
  });

  it('when it is to be made where no directory can be', async () => {
    const below = '/proc/nope/data';
    expect(await refusal(below)).toMatch(/^DATA_DIR \/proc\/nope\/data cannot be .*: set another DATA_DIR$/);
  });

  it('when another version of Postgres wrote it', async () => {
    usedBefore();
    const version = join(dataDir, 'postgres', 'data', 'PG_VERSION');
    chmodSync(version, 0o600);
    writeFileSync(version, '17\n');
    expect(await refusal(dataDir)).toBe(
      `DATA_DIR ${dataDir} holds data of PostgreSQL 17, this program brings 18: set another DATA_DIR`,
    );
  });
});
