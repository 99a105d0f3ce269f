import { join, resolve } from 'node:path';

/**
 * `DATA_DIR/postgres` is made whole in one rename, so it either holds a complete cluster with its password or is
 * not there.
 */
export type Layout = {
  readonly dataDir: string;
  readonly cluster: string;
  readonly data: string;
  readonly password: string;
  readonly log: string;
};

export const layoutOf = (dataDir: string): Layout => {
  const root = resolve(dataDir);
  const cluster = join(root, 'postgres');
  return {
    dataDir: root,
    cluster,
    data: join(cluster, 'data'),
    password: join(cluster, 'password'),
    log: join(root, 'postgres.log'),
  };
};
