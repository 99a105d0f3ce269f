import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';

/** The name of the file that says so, beside the cluster. */
export const restoredName = 'restored';

const fileIn = (dataDir: string): string => join(resolve(dataDir), restoredName);

/** Files that were put back are the same database to themselves: whoever restores them has to say so. */
export const markRestored = async (dataDir: string): Promise<void> => {
  const handle = await open(fileIn(dataDir), 'w', 0o600);
  await handle.sync().finally(() => handle.close());
};

/** What a restore that was killed has left is for another restore: a new installation would take its place. */
export const refuseCutOffRestore = ({ dataDir, cluster }: Layout): void => {
  if (existsSync(cluster) || !existsSync(fileIn(dataDir))) return;
  throw new EmbeddedPostgresError(
    `DATA_DIR ${dataDir} holds a restore that was cut off: repeat it (cointill restore <file> --yes), ` +
      'or set another DATA_DIR',
  );
};

/** Until the service has gone on above what may have been given out since the backup. */
export const restoredMarkOf = (dataDir: string) => ({
  isThere: (): boolean => existsSync(fileIn(dataDir)),
  remove: (): Promise<void> => rm(fileIn(dataDir), { force: true }),
});
