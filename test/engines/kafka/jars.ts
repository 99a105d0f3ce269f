import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, requireMaven } from './tools.ts';

const POM = fileURLToPath(new URL('./pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/kafka/', import.meta.url));

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whole or not at all. Several tests may fetch at once: the first to be done is taken, and nobody's is taken away. */
const fetchJars = async (folder: string): Promise<void> => {
  await requireMaven();
  await mkdir(CACHE, { recursive: true });
  const incoming = await mkdtemp(join(CACHE, 'incoming-'));
  try {
    await outputOf('mvn', ['-B', '-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${incoming}`]);
    await rename(incoming, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
};

/** The class path of the pinned Kafka, from the checkout's cache; Maven is asked only when that is not there. */
export const kafkaClassPath = async (): Promise<string> => {
  const pom = await readFile(POM, 'utf8');
  const [, version] = /<kafka\.version>([^<]+)</.exec(pom) ?? [];
  if (!version) throw new Error(`${POM} names no <kafka.version>`);
  // Of another pom the jars are others.
  const folder = join(CACHE, `${version}-${createHash('sha256').update(pom).digest('hex').slice(0, 8)}`);
  if (!(await isThere(folder))) await fetchJars(folder);
  return join(folder, '*');
};
