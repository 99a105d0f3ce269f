import { isNativeError } from 'node:util/types';

/** A start that cannot succeed before somebody changes something: its message is one line that says what. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const reasons: Record<string, string> = {
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is over its disk quota',
  EEXIST: 'is a file, not a directory',
  ENOTDIR: 'leads through a file, not a directory',
  ENAMETOOLONG: 'is too long a name',
};

export const refuseDataDir = (dataDir: string, reason: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(`DATA_DIR ${dataDir} ${reason}: set another DATA_DIR`);

/** That of the system; empty for an error of anything else. */
export const codeOf = (error: unknown): string =>
  isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Turns an error of the file system into the line that names DATA_DIR; anything else passes unchanged. */
export const explainFileError = (dataDir: string, error: unknown): unknown => {
  const reason = reasons[codeOf(error)];
  return reason === undefined ? error : refuseDataDir(dataDir, reason);
};
