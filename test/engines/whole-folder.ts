import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Filled whole or not at all. Several tests may fill it at once: the first to be done is taken, and nobody's is taken away. */
export const wholeFolder = async (folder: string, fill: (incoming: string) => Promise<unknown>): Promise<string> => {
  if (await isThere(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const incoming = await mkdtemp(join(dirname(folder), 'incoming-'));
  try {
    await fill(incoming);
    await rename(incoming, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
  return folder;
};
