import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../kafka/tools.ts';

const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/schemathesis/', import.meta.url));

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whole or not at all, and a folder of packages instead of an environment: that one could not be moved when it is done. */
const fetchPackages = async (folder: string): Promise<void> => {
  await mkdir(CACHE, { recursive: true });
  const incoming = await mkdtemp(join(CACHE, 'incoming-'));
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', incoming];
    await outputOf('python3', [...args, '-r', REQUIREMENTS]);
    await rename(incoming, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
};

/** The pinned Schemathesis, from the checkout's cache; pip is asked only when it is not there. */
export const schemathesisPackages = async (): Promise<string> => {
  const python = (await outputOf('python3', ['--version'])).trim();
  const of = createHash('sha256')
    .update(python)
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const folder = join(CACHE, of);
  if (!(await isThere(folder))) await fetchPackages(folder);
  return folder;
};
