import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError, refuseDataDir } from './error.ts';
import type { Layout } from './layout.ts';
import { giveTo, takeOver } from './ownership.ts';
import { programOf } from './package.ts';
import type { Programs } from './programs.ts';
import { refuseCutOffRestore } from './restored-mark.ts';
import { runAs } from './run.ts';
import { dataPath } from './working-directory.ts';

export const superuser = 'postgres';
const majorVersion = '18';
export const unfinishedPrefix = 'postgres.new-';

const settings = [
  `--username=${superuser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
];

const syncDirectory = (directory: string): void => {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

const removeUnfinished = (dataDir: string): void => {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(unfinishedPrefix))) {
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
};

const initdb = async ({ account, native }: Programs, layout: Layout, cluster: string): Promise<void> => {
  const data = join(cluster, 'data');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(cluster, 'password'), randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  const initialiser = account.initialiser ?? account;
  giveTo(initialiser, cluster);
  const target = dataPath(data);
  const command = [programOf(native, 'initdb'), '-D', target, `--pwfile=${target}/../password`, ...settings];
  const { code, output } = await runAs(initialiser, command, data);
  if (code === 0) return giveTo(account, cluster);
  if (output.includes('No space left on device')) throw refuseDataDir(layout.dataDir, 'is on a full disk');
  const reason = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim().split('\n').at(-1);
  throw new EmbeddedPostgresError(`no database could be made in DATA_DIR ${layout.dataDir}: ${reason}`);
};

const checkVersion = (layout: Layout): void => {
  const version = readFileSync(join(layout.data, 'PG_VERSION'), 'utf8').trim();
  if (version === majorVersion) return;
  throw refuseDataDir(layout.dataDir, `holds data of PostgreSQL ${version}, this program brings ${majorVersion}`);
};

/** Made beside its place and moved there in one step: a kill in the middle leaves nothing that a start would take. */
const makeCluster = async (programs: Programs, layout: Layout): Promise<void> => {
  const unfinished = mkdtempSync(join(layout.dataDir, unfinishedPrefix));
  try {
    await initdb(programs, layout, unfinished);
    renameSync(unfinished, layout.cluster);
    syncDirectory(layout.dataDir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
  }
};

export const ensureCluster = async (programs: Programs, layout: Layout): Promise<void> => {
  refuseCutOffRestore(layout);
  removeUnfinished(layout.dataDir);
  if (!existsSync(layout.cluster)) return makeCluster(programs, layout);
  checkVersion(layout);
  takeOver(programs.account, layout);
};
