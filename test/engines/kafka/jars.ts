import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, requireMaven } from './tools.ts';

const POM = fileURLToPath(new URL('./pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/kafka/', import.meta.url));

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The pom lies beside the jars that were made from it, and is the last to come: without it they are not complete. */
const fetchJars = async (folder: string): Promise<void> => {
  await requireMaven();
  await mkdir(CACHE, { recursive: true });
  const incoming = await mkdtemp(join(CACHE, 'incoming-'));
  try {
    await outputOf('mvn', ['-B', '-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${incoming}`]);
    await cp(POM, join(incoming, 'pom.xml'));
    await rm(folder, { recursive: true, force: true });
    await rename(incoming, folder);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
};

/** The class path of the pinned Kafka, from the checkout's cache; Maven is asked only when that is not there. */
export const kafkaClassPath = async (): Promise<string> => {
  const pom = await readFile(POM, 'utf8');
  const [, version] = /<kafka\.version>([^<]+)</.exec(pom) ?? [];
  if (!version) throw new Error(`${POM} names no <kafka.version>`);
  const folder = join(CACHE, version);
  if ((await textOf(join(folder, 'pom.xml'))) !== pom) await fetchJars(folder);
  return join(folder, '*');
};
