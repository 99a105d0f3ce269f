import {
  chmodSync,
  constants,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { restoreLibraryLinks } from './library-links.ts';

const files = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));

/** Cleaners of temporary directories take single files away: what is left has to be whole. */
const isWhole = (original: string, copy: string): boolean =>
  files(original).every(
    (file) => statSync(join(copy, file), { throwIfNoEntry: false })?.size === statSync(join(original, file)).size,
  );

/** What another user can write or replace must not be executed, least of all by root. */
const isOursAlone = (directory: string): boolean => {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
};

const othersCannotRename = (parent: string): boolean => {
  const { mode, uid } = statSync(parent);
  const trusted = uid === 0 || uid === process.geteuid?.();
  return trusted && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
};

const openToReaders = (directory: string): void => {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644);
  }
};

const copyTo = (original: string, place: string): void => {
  const unfinished = mkdtempSync(`${place}.new-`);
  try {
    const native = join(unfinished, 'native');
    cpSync(original, native, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => !source.endsWith('.a'),
    });
    restoreLibraryLinks(native);
    openToReaders(unfinished);
    renameSync(unfinished, place);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

const versionOf = (original: string): string =>
  JSON.parse(readFileSync(join(dirname(original), 'package.json'), 'utf8')).version;

const isUsable = (original: string, place: string): boolean =>
  isOursAlone(place) && isWhole(original, join(place, 'native'));

const replace = (original: string, place: string): void => {
  if (isOursAlone(place)) rmSync(place, { recursive: true, force: true });
  try {
    copyTo(original, place);
  } catch (error) {
    // Another process may have put the same copy there first.
    if (!isUsable(original, place)) throw error;
  }
};

/**
 * A copy of the programs where every user can read them, for when node_modules cannot be reached by the user that
 * Postgres runs as, or lacks the library links and cannot be written. Made once per user and version; undefined when
 * the parent directory is no safe or possible place.
 */
export const readableCopy = (original: string, parent: string): string | undefined => {
  try {
    if (!othersCannotRename(parent)) return undefined;
    const place = join(parent, `cointill-postgres-${versionOf(original)}-${process.geteuid?.()}`);
    if (!isUsable(original, place)) replace(original, place);
    return join(place, 'native');
  } catch {
    return undefined;
  }
};

export const placesForCopies = (): string[] => [...new Set([tmpdir(), '/var/tmp', '/tmp'])];
