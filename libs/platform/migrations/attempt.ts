import { join } from 'node:path';
import type pg from 'pg';

/** The runner tells only its log which file it is at. */
const follow = () => {
  const files: string[] = [];
  const info = (line: string): void => {
    files.push(...(/^### MIGRATION (.+) \(UP\) ###$/.exec(line)?.slice(1) ?? []));
  };
  const quiet = (): void => undefined;
  return { logger: { info, warn: quiet, error: quiet }, files };
};

export type Attempt = {
  readonly done: readonly string[];
  readonly failed?: { readonly where: string; readonly error: unknown };
};

/** Runs what is still to be done, file by file; what stands before one that fails is done all the same. */
export const attempt = async (client: pg.Client, directory: string, table: string): Promise<Attempt> => {
  const { runner } = await import('node-pg-migrate');
  const { logger, files } = follow();
  try {
    const done = await runner({
      dbClient: client,
      dir: directory,
      ignorePattern: '(?!.*\\.sql$).*',
      migrationsTable: table,
      direction: 'up',
      noLock: true,
      logger,
    });
    return { done: done.map((migration) => migration.name) };
  } catch (error) {
    const [file] = files.slice(-1);
    const where = file === undefined ? directory : join(directory, `${file}.sql`);
    return { done: files.slice(0, -1), failed: { where, error } };
  }
};
