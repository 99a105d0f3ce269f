import { type Failure, refused } from '../parts/exit.ts';

const NAMED = 'name the file that cointill backup has made';

const TO_MAKE: Readonly<Record<string, string>> = {
  EEXIST: 'is there already: name another file, a backup replaces none',
  ENOENT: 'cannot be made: its directory is not there, make it',
  ENOTDIR: 'cannot be made: what it lies in is no directory, name another file',
  EACCES: 'cannot be made: this user may not write there',
  EPERM: 'cannot be made: this user may not write there',
  EROFS: 'cannot be made: the file system there can only be read, name another file',
};

const TO_READ: Readonly<Record<string, string>> = {
  ENOENT: `is not there: ${NAMED}`,
  ENOTDIR: `is not there: ${NAMED}`,
  EISDIR: `is a directory: ${NAMED}`,
  EACCES: 'cannot be read by this user: a backup is readable for who has made it alone',
  EPERM: 'cannot be read by this user: a backup is readable for who has made it alone',
};

/** Of the archive, and of nothing else that lies in the way of a command: by the path that the system names. */
const refusalBy =
  (words: Readonly<Record<string, string>>) =>
  (file: string, error: unknown): Failure | undefined => {
    if (!(error instanceof Error) || !('code' in error)) return undefined;
    const said = words[String(error.code)];
    // A directory is opened like a file, and its error has no path.
    const isOfFile = 'path' in error ? String(error.path).startsWith(file) : error.code === 'EISDIR';
    return said !== undefined && isOfFile ? refused(`${file} ${said}`) : undefined;
  };

export const unmade = refusalBy(TO_MAKE);
export const unread = refusalBy(TO_READ);
