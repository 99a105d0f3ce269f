import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Link = { readonly source: string; readonly target: string };

const listed = (native: string): Link[] => {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
};

/**
 * npm packages hold no symbolic links; the package would make those of its libraries in an install script, which does
 * not run here. A link appears by a rename, so two processes may do this at once.
 */
export const restoreLibraryLinks = (native: string): void => {
  for (const { source, target } of listed(native)) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    // No number at its end, where the libraries have their versions.
    const unfinished = `${link}.${process.pid}-unfinished`;
    symlinkSync(basename(source), unfinished);
    renameSync(unfinished, link);
  }
};
