import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { isGone } from './is-gone.ts';

/** What belongs to the running server, or is made anew by the next one. */
const EMPTIED = new Set(
  ['wal', 'replslot', 'dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans'].map((name) => `pg_${name}`),
);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label|tablespace_map|current_logfiles|pg_internal\.init.*|pgsql_tmp.*)$/;

const TABLESPACES = 'pg_tblspc';

export type Found = { readonly path: string; readonly isDirectory: boolean };

type Kind = Pick<Dirent, 'isFile' | 'isDirectory'>;

/** A part of a cluster may lie on another disk, with a link to it where it was. Undefined: it was dropped meanwhile. */
const linkedKind = async (file: string): Promise<Kind | undefined> => {
  try {
    return await stat(file);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};

const kindOf = (root: string, path: string, entry: Dirent): Promise<Kind | undefined> | Kind =>
  entry.isSymbolicLink() ? linkedKind(join(root, path)) : entry;

/** Whoever restores it has one directory, and no tablespace where the original has it. */
const refuseTablespace = (root: string, path: string): void => {
  if (!path.startsWith(`${TABLESPACES}/`)) return;
  throw new EmbeddedPostgresError(
    `${join(root, path)} is a tablespace, which lies elsewhere and is in no backup: move what is in it back (ALTER TABLE … SET TABLESPACE pg_default) and drop it`,
  );
};

/** All that a copy of the cluster has to hold. What can be no part of one is refused: without it none would be whole. */
export async function* filesOfCluster(root: string, below = ''): AsyncGenerator<Found> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (LEFT_OUT.test(entry.name)) continue;
    refuseTablespace(root, path);
    const kind = await kindOf(root, path, entry);
    if (!kind) continue;
    const isDirectory = kind.isDirectory();
    if (!isDirectory && !kind.isFile())
      throw new EmbeddedPostgresError(`${join(root, path)} is neither a file nor a directory: no backup can hold it`);
    yield { path, isDirectory };
    if (isDirectory && !EMPTIED.has(path)) yield* filesOfCluster(root, path);
  }
}
