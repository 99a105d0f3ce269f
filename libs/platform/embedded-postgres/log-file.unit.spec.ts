import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { itWhere } from '../../../test/support/jest-left-out.ts';
import { type Layout, layoutOf } from './layout.ts';
import { openLogFile } from './log-file.ts';

const itAsRoot = itWhere(process.geteuid?.() === 0, 'only root can do this');

const SOMEBODY = 33;

let layout: Layout;

beforeEach(() => {
  layout = layoutOf(mkdtempSync(join(tmpdir(), 'log of postgres ')));
  mkdirSync(layout.cluster);
  for (const path of [layout.dataDir, layout.cluster]) chownSync(path, SOMEBODY, SOMEBODY);
});

afterEach(() => rmSync(layout.dataDir, { recursive: true }));

itAsRoot('a log that root makes, at a command, belongs to the owner of the cluster', async () => {
  openLogFile(layout).close();
  expect(statSync(layout.log)).toMatchObject({ uid: SOMEBODY, gid: SOMEBODY });
});

itAsRoot('a log that lies there stays its owner\u2019s, whatever it is a name of', async () => {
  writeFileSync(layout.log, '');
  openLogFile(layout).close();
  expect(statSync(layout.log).uid).toBe(0);
});

itAsRoot('a log of another user is named with its owner', async () => {
  writeFileSync(layout.log, '', { mode: 0o600 });
  process.seteuid?.(SOMEBODY);
  try {
    expect(() => openLogFile(layout)).toThrow(
      `${layout.log} belongs to another user (uid 0), and this one (uid ${SOMEBODY}) cannot write it: ` +
        `chown it to the user that the service runs as (chown ${SOMEBODY} ${layout.log})`,
    );
  } finally {
    process.seteuid?.(0);
  }
});
