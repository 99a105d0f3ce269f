import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { backUp } from '#ground';
import { describeWhere } from '../../support/jest-left-out.ts';
import { type Scratch, scratchDirectory } from './data-directory.ts';
import { kill, type Owner, query, startOwner } from './owner-process.ts';
import { isAlive, type Listed, processes, untilGone } from './processes.ts';

/** As containers are to each other, and to their host. */
const container = ['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child', '--'];
/** Its first process is not the owner, which may end alone. */
const withInit = [...container, 'sh', '-c', '"$@"; sleep 600', 'sh'];

const [unshare = '', ...flags] = container;
const possible = spawnSync(unshare, [...flags, 'true']).status === 0;
const describeWithNamespaces = describeWhere(possible, 'only root of a Linux with PID namespaces can do this');

let scratch: Scratch;
let dataDir: string;
let owners: Owner[];

beforeEach(() => {
  scratch = scratchDirectory();
  dataDir = join(scratch.path, 'data');
  owners = [];
});

const below = (pid: number, all: readonly Listed[]): Listed[] =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid, all)]);

/** By the numbers that they have out here. */
const numbersOf = ({ child }: Owner) => {
  const all = processes();
  const own = [...all.filter(({ pid }) => pid === child.pid), ...below(child.pid ?? 0, all)];
  const numberOf = (begins: string, holds = ''): number =>
    own.find(({ command }) => command.startsWith(begins) && command.includes(holds))?.pid ?? 0;
  return {
    node: numberOf(process.execPath),
    postmaster: numberOf('/', '/bin/postgres -D '),
    guard: numberOf('/bin/sh -c read -r done'),
  };
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  if (pid > 0) process.kill(pid, signal);
};

afterEach(async () => {
  for (const owner of owners) {
    send(numbersOf(owner).node, 'SIGKILL');
    await kill(owner, 'SIGKILL');
  }
  scratch.remove();
});

const start = (prefix: readonly string[] = []): Owner => {
  const owner = startOwner(dataDir, { prefix });
  owners.push(owner);
  return owner;
};

/** What stays as it is while nobody takes anything away. */
const files = () => [
  readdirSync(dataDir).filter((name) => name.startsWith('owner.')),
  readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'),
];

const ELSEWHERE = / of another container or machine \(.+\): stop that one, .* \(docker exec\)$/m;

describeWithNamespaces('a data directory that a container serves from', () => {
  it.each([
    ['another container', container, container],
    ['its host', container, []],
    ['a container, while it is served by the host,', [], container],
  ])(
    'is refused to %s, which touches nothing',
    async (_, first, second) => {
      const owner = start(first);
      const { url } = await owner.server;
      const before = files();
      await expect(start(second).server).rejects.toThrow(ELSEWHERE);
      expect(files()).toEqual(before);
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
    60_000,
  );

  it('is refused as long as it is paused', async () => {
    const owner = start(container);
    await owner.server;
    const { node } = numbersOf(owner);
    expect(node).toBeGreaterThan(0);
    send(node, 'SIGSTOP');
    await delay(6_000);
    await expect(start(container).server).rejects.toThrow(ELSEWHERE);
  }, 60_000);

  it('is not backed up from outside, and its Postgres goes on', async () => {
    const { url } = await start(container).server;
    const before = files();
    const file = join(scratch.path, 'backup.tar.gz');
    await expect(backUp(file, { dataDir, keepsKey: false })).rejects.toThrow(ELSEWHERE);
    expect([files(), readdirSync(scratch.path)]).toEqual([before, ['data']]);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }, 60_000);

  it('is taken within seconds by the next one when it was killed, with every confirmed row', async () => {
    const first = start(container);
    const { url } = await first.server;
    await query(url, 'CREATE TABLE coins AS SELECT generate_series(1, 1000) AS id');
    const { node, postmaster } = numbersOf(first);
    send(node, 'SIGKILL');
    await untilGone(postmaster);
    const begun = performance.now();
    const next = start(container);
    const served = await next.server;
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(await query(served.url, 'SELECT count(*)::int AS coins FROM coins')).toEqual([{ coins: 1000 }]);
    // Where the kernel gave the number of the namespace again, it is this one's dead, and nothing is waited for.
    expect(next.stderr()).toMatch(/^$|shows no sign of life: its claim on DATA_DIR/);
    expect(files()[0]).toHaveLength(2);
  }, 60_000);

  it('is refused, and its Postgres left alone, when that has outlived its owner', async () => {
    const owner = start(withInit);
    await owner.server;
    const { node, postmaster, guard } = numbersOf(owner);
    send(guard, 'SIGKILL');
    send(node, 'SIGKILL');
    await untilGone(node);
    for (const other of [[], container]) await expect(start(other).server).rejects.toThrow(/another container/);
    expect(isAlive(postmaster)).toBe(true);
  }, 60_000);

  it('is given up loudly, and at once, by an owner whose claim was taken away', async () => {
    const owner = start(container);
    await owner.server;
    const { postmaster } = numbersOf(owner);
    for (const name of readdirSync(dataDir).filter((one) => one.endsWith('.lock'))) rmSync(join(dataDir, name));
    expect(await owner.ended).toBe(1);
    expect(owner.stderr()).toContain(`the claim on DATA_DIR ${dataDir} was taken away`);
    await untilGone(postmaster);
  }, 60_000);
});
