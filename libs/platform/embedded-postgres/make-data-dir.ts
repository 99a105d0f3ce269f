import { makeDirectory } from '../make-directory/index.ts';
import { codeOf, refuseDataDir } from './error.ts';

export const makeDataDir = (dataDir: string): void => {
  try {
    makeDirectory(dataDir, 0o700);
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? refuseDataDir(dataDir, 'cannot be made there') : error;
  }
};
