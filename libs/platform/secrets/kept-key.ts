import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { reasonOf } from '../reason/index.ts';

/** A key file that cannot be read or made; the message names the settings to change. */
export class SecretsKeyError extends Error {}

const hasCode = (error: unknown, code: string): boolean =>
  isNativeError(error) && 'code' in error && error.code === code;

const readKept = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const writeWhole = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Written aside and then linked: another start that comes at the same time sees a whole key or none. */
const makeKept = async (file: string): Promise<void> => {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeWhole(aside, `${randomBytes(32).toString('base64url')}\n`);
    await link(aside, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
};

export const keyFileName = 'secrets.key';

/** What a file holds, made at random where there is none. */
const keptIn = async (file: string): Promise<string> => {
  const kept = await readKept(file);
  if (kept) return kept;
  await makeKept(file);
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
    await mkdir(dataDir, { recursive: true });
    return keptIn(join(dataDir, keyFileName));
  });
};

/** The key that a file is to keep after this one: the same for whoever asks again. */
export const nextSecretsKey = (file: string): Promise<string> => explained(file, () => keptIn(file));

/** That of DATA_DIR, while it is no other's yet; undefined when none was made. */
export const keptNextKey = (dataDir: string) => {
  const [file, next] = [join(dataDir, keyFileName), join(dataDir, `${keyFileName}.next`)];
  return {
    make: () => nextSecretsKey(next),
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
