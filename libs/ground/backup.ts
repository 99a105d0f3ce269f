import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, type Manifest, readArchive, writeArchive } from '#platform/archive';
import { baseBackup, bytesEntry, reachEmbeddedPostgres, restoreDataDir } from '#platform/embedded-postgres';
import { keyFileName, SecretsKeyError } from '#platform/secrets';

export type BackupParts = {
  readonly dataDir: string;
  /** The key is in DATA_DIR, and so in the archive; else it is elsewhere. */
  readonly keepsKey: boolean;
  readonly signal?: AbortSignal;
};

const KEY_CHANGED = 'the key of secrets was changed while the backup was made: make it again';

/** The key after the database, which it has to open as it is then. */
async function* entriesOf(
  parts: BackupParts,
  { url, layout }: Pick<Awaited<ReturnType<typeof reachEmbeddedPostgres>>, 'url' | 'layout'>,
): AsyncGenerator<Entry> {
  const readKey = (): Promise<Buffer> => readFile(join(layout.dataDir, keyFileName));
  const before = parts.keepsKey ? await readKey() : undefined;
  yield* baseBackup(url, layout);
  if (!before) return;
  if (!before.equals(await readKey())) throw new SecretsKeyError(KEY_CHANGED);
  yield bytesEntry(keyFileName, before);
}

const DATABASE = 'the database, with its password';
const KEY = 'the key of its secrets: whoever has this file reads them all';

/** Everything of the embedded installation, as it is when this ends, whether a service runs on it or not. */
export const backUp = async (file: string, parts: BackupParts): Promise<{ readonly holdsKey: boolean }> => {
  const reached = await reachEmbeddedPostgres(parts.dataDir);
  try {
    const holds = [DATABASE, ...(parts.keepsKey ? [KEY] : [])];
    await writeArchive(file, entriesOf(parts, reached), holds, parts.signal);
    return { holdsKey: parts.keepsKey };
  } finally {
    await reached.close();
  }
};

export type RestoreParts = {
  readonly dataDir: string;
  /** What is there is moved aside, not refused. */
  readonly over: boolean;
  /** Heeded until something is exchanged. */
  readonly signal?: AbortSignal;
};

/** Into a data directory that no service runs on. */
export const restoreBackup = (file: string, parts: RestoreParts): Promise<Manifest> =>
  restoreDataDir({
    ...parts,
    beside: [keyFileName],
    fill: (receiver) => readArchive(file, receiver, parts.signal),
  });
