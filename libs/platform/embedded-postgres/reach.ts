import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, explainFileError, refuseDataDir } from './error.ts';
import { superuser } from './initialise.ts';
import { type Layout, layoutOf } from './layout.ts';
import { ownerOf } from './owner-lock.ts';
import { refuseCutOffRestore } from './restored-mark.ts';
import { startEmbeddedPostgres } from './start.ts';

export type ReachedPostgres = {
  /** Of a superuser, with its password: not for logs. */
  readonly url: string;
  readonly layout: Layout;
  /** Stops it where it was started for this. */
  readonly close: () => Promise<void>;
};

const WAIT_MS = 30_000;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** Undefined while it is starting or ending. */
const portOf = ({ data }: Layout): string | undefined => {
  const file = join(data, 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines[STATUS_LINE]?.trim() === 'ready' ? lines[PORT_LINE]?.trim() : undefined;
};

const ofOwner = async (layout: Layout, owner: number): Promise<string> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(100)) {
    const port = portOf(layout);
    if (port)
      return `postgres://${superuser}:${readFileSync(layout.password, 'utf8').trim()}@127.0.0.1:${port}/postgres`;
  }
  throw new EmbeddedPostgresError(`the Postgres of process ${owner} in DATA_DIR ${layout.dataDir} does not get ready`);
};

/**
 * The Postgres of a data directory: the one of the service that is running here, or one that is started for as long.
 * That of another container is on a loopback of its own: the start refuses the directory, and says so.
 */
export const reachEmbeddedPostgres = async (dataDir: string): Promise<ReachedPostgres> => {
  const layout = layoutOf(dataDir);
  refuseCutOffRestore(layout);
  if (!existsSync(layout.data)) throw refuseDataDir(layout.dataDir, 'holds no database');
  const owner = ownerOf(layout.dataDir);
  if (owner === undefined) {
    const { url, stop } = await startEmbeddedPostgres({ dataDir });
    return { url, layout, close: stop };
  }
  try {
    return { url: await ofOwner(layout, owner), layout, close: async () => undefined };
  } catch (error) {
    throw explainFileError(layout.dataDir, error);
  }
};
