import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type Scratch, scratchDirectory } from './data-directory.ts';
import { npmStart, type Parts, partsOf, pressCtrlC, type Run, untilAllGone } from './npm-start.ts';
import { copyProject } from './project-copy.ts';

const patience = 120_000;

let scratch: Scratch;
let project: string;
let dataDir: string;
let runs: Run[];

beforeAll(() => {
  scratch = scratchDirectory("o'clock Кошелёк");
  project = join(scratch.path, 'a clone');
  copyProject(project);
}, patience);

afterAll(() => scratch.remove());

beforeEach(() => {
  dataDir = join(scratch.path, `data ${Math.random()}`);
  runs = [];
});

afterEach(async () => {
  for (const run of runs) {
    if (run.child.exitCode === null && run.child.signalCode === null) pressCtrlC(run);
    await run.ended;
  }
}, patience);

const start = async (settings: { PORT?: string; DATA_DIR?: string } = {}): Promise<Run> => {
  const run = npmStart(project, { PORT: String(await freePort()), DATA_DIR: dataDir, ...settings });
  runs.push(run);
  return run;
};

/** As a start before has left it: what else happens at the first start is not what these tests are about. */
const usedBefore = async (): Promise<void> => {
  const used = join(scratch.path, 'used before');
  if (!existsSync(used)) {
    const run = await start({ DATA_DIR: used });
    await run.serving;
    pressCtrlC(run);
    await run.ended;
  }
  execFileSync('cp', ['-a', used, dataDir]);
};

const isReady = async (run: Run): Promise<boolean> => (await fetch(`${await run.serving}/health/ready`)).ok;

const residentMiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;

describe('npm start in a fresh clone', () => {
  it(
    'builds what is missing and serves, twice at once with another port and data directory',
    async () => {
      const both = await Promise.all([start(), start({ DATA_DIR: join(scratch.path, 'used before') })]);
      expect(await Promise.all(both.map(isReady))).toEqual([true, true]);
    },
    patience,
  );

  it(
    'loads its code from one file, and of packages none that its settings do not name',
    async () => {
      await usedBefore();
      const tells = `import { registerHooks } from 'node:module';
        registerHooks({ load: (url, context, next) => (url.startsWith('file:') && console.log('load ' + url), next(url, context)) });`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(tells)}`, 'dist/apps/all/main.js'];
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn(process.execPath, args, { cwd: project, env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0' } });
      const ended = once(child, 'close');
      let said = '';
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        said += chunk;
        if (/^Simulated /m.test(said)) child.kill('SIGTERM');
      }
      await ended;
      const loaded = [...said.matchAll(/^load file:.*?\/((?:dist|node_modules)\/.*)$/gm)].map(([, file]) => file);
      expect(loaded).toEqual([
        'dist/apps/all/main.js',
        'dist/apps/all/start.js',
        'node_modules/swagger-ui-dist/absolute-path.js',
      ]);
      // One character beyond Latin-1 would double what it takes.
      const code = readFileSync(join(project, 'dist', 'apps', 'all', 'start.js'), 'utf8');
      expect(code.match(/.{0,40}[^\0-\xff].{0,40}/)?.[0]).toBeUndefined();
    },
    patience,
  );

  it(
    'keeps no memory that only starting needed, its Postgres not counted',
    async () => {
      // About 155 MiB; of many files about 195, and 257 without its flags.
      await usedBefore();
      const run = await start();
      expect(await isReady(run)).toBe(true);
      expect(residentMiB(partsOf(run).app.pid)).toBeLessThanOrEqual(185);
    },
    patience,
  );

  it(
    'builds again when a source has changed, and not when nothing has',
    async () => {
      const built = (): string => readFileSync(join(project, 'dist', '.built-from'), 'utf8');
      await usedBefore();
      const unchanged = await start();
      await unchanged.serving;
      expect(unchanged.output()).not.toContain('building');
      const before = built();
      pressCtrlC(unchanged);
      await unchanged.ended;
      appendFileSync(join(project, 'apps', 'all', 'greeting.ts'), '\nexport const changed = true;\n');
      const changed = await start();
      await changed.serving;
      expect(changed.output()).toContain('building');
      expect(built()).not.toBe(before);
      expect(readFileSync(join(project, 'dist', 'apps', 'all', 'greeting.js'), 'utf8')).toContain('changed');
    },
    patience,
  );
});

describe('the end of npm start', () => {
  it(
    'by Ctrl-C leaves no process, and the next start has the same data',
    async () => {
      const first = await start();
      expect(await isReady(first)).toBe(true);
      expect(readFileSync(join(dataDir, 'first-start.txt'), 'utf8')).toContain('The key is shown this once');
      const parts = partsOf(first);
      pressCtrlC(first);
      expect(await first.ended).toBe(0);
      await untilAllGone(parts);
      const second = await start();
      expect(await isReady(second)).toBe(true);
      expect(second.output()).not.toContain('First start');
    },
    patience,
  );

  it.each<'SIGTERM' | 'SIGHUP'>(['SIGTERM', 'SIGHUP'])(
    'by %s to npm alone leaves no process',
    async (signal) => {
      await usedBefore();
      const run = await start();
      await run.serving;
      const parts = partsOf(run);
      run.child.kill(signal);
      await untilAllGone(parts);
    },
    patience,
  );

  it.each<keyof Parts>(['npm', 'start', 'app', 'postgres'])(
    'by kill -9 of %s leaves no process, and the next start serves',
    async (victim) => {
      await usedBefore();
      const run = await start();
      await run.serving;
      const parts = partsOf(run);
      process.kill(parts[victim].pid, 'SIGKILL');
      await untilAllGone(parts);
      expect(await isReady(await start())).toBe(true);
    },
    patience,
  );

  it(
    'by kill -9 of everything at once is no hindrance to the next start',
    async () => {
      await usedBefore();
      const run = await start();
      await run.serving;
      const parts = partsOf(run);
      for (const { pid } of [parts.npm, parts.start, parts.app, parts.postgres]) process.kill(pid, 'SIGKILL');
      await untilAllGone(parts);
      expect(await isReady(await start())).toBe(true);
    },
    patience,
  );
});

describe('npm start with a wrong setting ends with one line that names the variable', () => {
  const refusal = async (settings: { PORT?: string; DATA_DIR?: string }): Promise<string[]> => {
    const run = await start(settings);
    expect(await run.ended).toBe(1);
    return run
      .output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('> ') && !line.startsWith('npm '));
  };

  it(
    'when the port is taken',
    async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const address = taken.address();
      const port = String(address !== null && typeof address === 'object' ? address.port : 0);
      const lines = await refusal({ PORT: port });
      taken.close();
      expect(lines).toEqual([expect.stringMatching(new RegExp(`${port}.*PORT`))]);
    },
    patience,
  );

  it(
    'when another start has the data directory',
    async () => {
      await usedBefore();
      const first = await start();
      await first.serving;
      const lines = await refusal({});
      expect(lines).toEqual([expect.stringMatching(/DATA_DIR .* is in use by process \d+: set another DATA_DIR/)]);
    },
    patience,
  );

  it(
    'when the data directory is a file',
    async () => {
      const file = join(project, 'package.json');
      expect(await refusal({ DATA_DIR: file })).toEqual([expect.stringMatching(/DATA_DIR .* is a file/)]);
    },
    patience,
  );
});
