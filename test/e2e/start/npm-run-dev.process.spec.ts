import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../acceptance/harness/index.ts';
import { freePort } from '../../support/free-port.ts';
import { type Scratch, scratchDirectory } from './data-directory.ts';
import { npmStart, pressCtrlC, type Run } from './npm-start.ts';
import { copyProject } from './project-copy.ts';

const patience = 180_000;

let scratch: Scratch;
let run: Run;

beforeAll(async () => {
  scratch = scratchDirectory('watched');
  copyProject(join(scratch.path, 'a clone'));
  const settings = { PORT: String(await freePort()), DATA_DIR: join(scratch.path, 'data') };
  run = npmStart(join(scratch.path, 'a clone'), settings, ['run', 'dev']);
}, patience);

afterAll(async () => {
  pressCtrlC(run);
  await run.ended;
  scratch.remove();
}, patience);

const source = () => join(scratch.path, 'a clone', 'libs', 'door', 'http', 'front-page.ts');
const change = (from: string, to: string): void =>
  writeFileSync(source(), readFileSync(source(), 'utf8').replace(from, to));

const name = async (): Promise<unknown> => {
  const url = await run.serving;
  return fetch(url).then(
    async (response) => Object(await response.json()).name,
    () => undefined,
  );
};
const until = (wanted: string) => eventually(name, (found) => found === wanted, 60_000);

const ranAgain = (run: Run, times: number) =>
  eventually(
    async () => run.output().split('Ran all test suites').length - 1,
    (runs) => runs >= times,
    60_000,
  );

describe('npm test -- --watchAll', () => {
  it(
    'runs again with each change',
    async () => {
      const project = join(scratch.path, 'a clone');
      const watched = npmStart(project, { PORT: '0', DATA_DIR: '' }, ['test', '--', '--watchAll', 'libs/money']);
      try {
        expect(await ranAgain(watched, 1)).toBe(1);
        appendFileSync(join(project, 'libs', 'money', 'money.unit.spec.ts'), '\n');
        expect(await ranAgain(watched, 2)).toBeGreaterThan(1);
        expect(watched.output()).toMatch(/Tests: .*passed/);
      } finally {
        pressCtrlC(watched);
        await watched.ended;
      }
    },
    patience,
  );
});

describe('npm run dev', () => {
  it(
    'starts again with each change, also after one that does not compile',
    async () => {
      expect(await until('Cointill')).toBe('Cointill');
      change("name: 'Cointill'", "name: 'Changed'");
      expect(await until('Changed')).toBe('Changed');
      change("name: 'Changed'", "name: 'Broken");
      await eventually(
        async () => run.output(),
        (said) => said.includes('the build failed'),
        60_000,
      );
      change("name: 'Broken", "name: 'Mended'");
      expect(await until('Mended')).toBe('Mended');
    },
    patience,
  );
});
