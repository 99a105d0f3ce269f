import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '#platform/make-directory';
import { reasonOf } from '#platform/reason';

const NAME = 'first-start.txt';

const append = async (dataDir: string, text: string): Promise<string> => {
  const file = join(dataDir, NAME);
  makeDirectory(dataDir);
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return file;
};

const LOST =
  'set OPERATOR_TOKEN for an operator of your own at the next start, who makes API keys by POST /operator/api-keys';

/**
 * Keys and tokens are shown once, and where standard output is no terminal it is a log, which keeps them for ever: then
 * they go into a file that its owner alone may read. Returns what to say on standard output.
 */
export const sayFirstWords = async (text: string, dataDir: string, isTerminal: boolean): Promise<string> => {
  if (isTerminal) return text;
  try {
    const file = await append(dataDir, text);
    return `First start: keys, tokens and how to begin are in ${file}, for its owner alone: read it, then remove it`;
  } catch (error) {
    return `First start: its keys and tokens are lost, since no file can be written (${reasonOf(error)}): ${LOST}`;
  }
};
