import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const notInAClone = new Set(['node_modules', '.git', 'dist', 'dist.new', '.data', '.cache', 'coverage']);

/** This project as a clone has it, with what npm has installed already there. */
export const copyProject = (directory: string): void => {
  mkdirSync(directory);
  cpSync(root, directory, {
    recursive: true,
    filter: (source) => dirname(source) !== root || !notInAClone.has(basename(source)),
  });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
};
