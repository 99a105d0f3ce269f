import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isNativeError } from 'node:util/types';

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const makeOne = (path: string, mode: number | undefined): void => {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
};

const lacksParent = (error: unknown, path: string): boolean =>
  isNativeError(error) && 'code' in error && error.code === 'ENOENT' && dirname(path) !== path;

/**
 * With all above it that are missing. Node's own `recursive` asks without an end, and hears no signal, where a directory
 * that is there takes no other, as /proc.
 */
export const makeDirectory = (path: string, mode?: number): void => {
  try {
    makeOne(path, mode);
  } catch (error) {
    if (!lacksParent(error, path)) throw error;
    makeDirectory(dirname(path), mode);
    makeOne(path, mode);
  }
};
