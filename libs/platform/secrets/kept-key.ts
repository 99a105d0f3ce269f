import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { makeDirectory } from '../make-directory/index.ts';
import { reasonOf } from '../reason/index.ts';
import { giveKeptToReadersOf, giveToReadersOf, otherOwner } from './readers.ts';
import { SecretsKeyError } from './secrets-key-error.ts';

const hasCode = (error: unknown, code: string): boolean =>
  isNativeError(error) && 'code' in error && error.code === code;

const readKept = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    const owner = hasCode(error, 'EACCES') ? await otherOwner(file) : undefined;
    throw owner ? new SecretsKeyError(owner) : error;
  }
};

const writeWhole = async (file: string, text: string, replaced?: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    if (replaced) await giveToReadersOf(replaced, handle);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Written aside and then linked: another start that comes at the same time sees a whole key or none. */
const makeKept = async (file: string, replaced?: string): Promise<void> => {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeWhole(aside, `${randomBytes(32).toString('base64url')}\n`, replaced);
    await link(aside, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
};

export const keyFileName = 'secrets.key';

/** What a file holds, made at random where there is none. */
const keptIn = async (file: string, replaced?: string): Promise<string> => {
  const kept = await readKept(file);
  if (kept) return kept;
  await makeKept(file, replaced);
  const made = await readKept(file);
  if (made) return made;
  throw new SecretsKeyError(`${file} is empty: restore it, or set SECRETS_KEY to what it held`);
};

const explained = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SecretsKeyError) throw error;
    throw new SecretsKeyError(
      `DATA_DIR ${dataDir} cannot keep the key of secrets (${reasonOf(error)}): set SECRETS_KEY or another DATA_DIR`,
    );
  }
};

/** `SECRETS_KEY`, or the key that the first start made and kept in DATA_DIR for its owner's eyes alone. */
export const loadSecretsKey = async (configured: string | undefined, dataDir: string): Promise<string> => {
  if (configured) return configured;
  return explained(dataDir, async () => {
    makeDirectory(dataDir);
    return keptIn(join(dataDir, keyFileName));
  });
};

/** That of DATA_DIR, for whoever has nothing to do without: one that is made opens nothing. */
export const keptSecretsKey = (dataDir: string): Promise<string> =>
  explained(dataDir, async () => {
    const kept = await readKept(join(dataDir, keyFileName));
    if (kept) return kept;
    throw new SecretsKeyError(
      `no ${keyFileName} in DATA_DIR ${dataDir}: set DATA_DIR to the directory that keeps it, or SECRETS_KEY`,
    );
  });

/** The key that the file of an option is to keep after this one: the same for whoever asks again. */
export const nextSecretsKey = async (option: string, file: string): Promise<string> => {
  try {
    return await keptIn(file);
  } catch (error) {
    if (error instanceof SecretsKeyError) throw error;
    throw new SecretsKeyError(`${option} ${file} cannot keep the next key (${reasonOf(error)}): name another file`);
  }
};

/** That of DATA_DIR, while it is no other's yet; undefined when none was made. */
export const keptNextKey = (dataDir: string) => {
  const [file, next] = [join(dataDir, keyFileName), join(dataDir, `${keyFileName}.next`)];
  return {
    make: () =>
      explained(dataDir, async () => {
        const key = await keptIn(next, file);
        // One that is there may be of a release that left it to whoever had typed the command.
        await giveKeptToReadersOf(file, next);
        return key;
      }),
    isThere: async () => (await explained(dataDir, () => readKept(next))) !== undefined,
    /** In one step: a start finds the one or the other. */
    takeOver: () =>
      explained(dataDir, async () => {
        await rename(next, file);
        const directory = await open(dataDir, 'r');
        await directory.sync().finally(() => directory.close());
      }),
  };
};
