import { existsSync, readFileSync } from 'node:fs';
import { accountsFor } from './account.ts';
import { explainFileError } from './error.ts';
import { ensureCluster, superuser } from './initialise.ts';
import { type Layout, layoutOf } from './layout.ts';
import { makeDataDir } from './make-data-dir.ts';
import { stopOrphans } from './orphans.ts';
import { claimDataDir, type Hold } from './owner-lock.ts';
import { keepPassword } from './ownership.ts';
import { type Launch, type Postmaster, type Settings, startPostmaster, stopPostmaster } from './postmaster.ts';
import { findPrograms } from './programs.ts';
import { removeMisleadingPidFile } from './stale-pid-file.ts';

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  readonly log?: (message: string) => void;
  /** Of the server, instead of the house's own: a test need not wait for the disk. */
  readonly settings?: Settings;
  /** Called when Postgres ends without having been stopped: nothing that needs it can go on. */
  readonly onExit?: (reason: string) => void;
};

export type EmbeddedPostgres = {
  /** Of a superuser, with its password: not for logs. */
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
};

const ENDED = 'so Postgres was ended at once';

const urlOf = (layout: Layout, port: number): string =>
  `postgres://${superuser}:${readFileSync(layout.password, 'utf8').trim()}@127.0.0.1:${port}/postgres`;

const startOwned = async (layout: Layout, launch: Launch, isIn: Hold['isIn']): Promise<Postmaster> => {
  const programs = await findPrograms(accountsFor(layout), layout);
  // Before the files may change hands.
  if (existsSync(layout.data)) await stopOrphans(layout, isIn, launch.log);
  await ensureCluster(programs, layout);
  keepPassword(layout);
  removeMisleadingPidFile(layout);
  return startPostmaster(programs, layout, launch);
};

const startLocked = async (layout: Layout, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { log = () => undefined, settings = {} } = options;
  const { lifeline, lost, isIn, release } = await claimDataDir(layout.dataDir, log);
  const postmaster = await startOwned(layout, { log, settings, lifeline }, isIn).catch((error: unknown) => {
    release();
    throw error;
  });
  const died = (code: number | null, signal: string | null): void => {
    postmaster.unguard();
    release();
    options.onExit?.(`Postgres in ${layout.dataDir} ended by itself (${signal ?? `code ${code}`}), see ${layout.log}`);
  };
  postmaster.child.once('exit', died);
  void lost.then(() => {
    postmaster.child.off('exit', died);
    // At once: a shutdown would write, and take the pid file of whoever has the directory now.
    postmaster.child.kill('SIGKILL');
    postmaster.unguard();
    release();
    options.onExit?.(`the claim on DATA_DIR ${layout.dataDir} was taken away: another process may have it, ${ENDED}`);
  });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    postmaster.child.off('exit', died);
    await stopPostmaster(postmaster);
    release();
  };
  return {
    url: urlOf(layout, postmaster.port),
    pid: postmaster.pid,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
};

/** A PostgreSQL 18 of one's own in a directory: the one that npm has brought, started as a child of this process. */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const layout = layoutOf(options.dataDir);
  try {
    makeDataDir(layout.dataDir);
    return await startLocked(layout, options);
  } catch (error) {
    throw explainFileError(layout.dataDir, error);
  }
};
