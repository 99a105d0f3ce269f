import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wholeFolder } from '../whole-folder.ts';
import { outputOf, requireMaven } from './tools.ts';

const POM = fileURLToPath(new URL('./pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/kafka/', import.meta.url));

const fetchJars = async (incoming: string): Promise<void> => {
  await requireMaven();
  await outputOf('mvn', ['-B', '-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${incoming}`]);
};

/** The class path of the pinned Kafka, from the checkout's cache; Maven is asked only when that is not there. */
export const kafkaClassPath = async (): Promise<string> => {
  const pom = await readFile(POM, 'utf8');
  const [, version] = /<kafka\.version>([^<]+)</.exec(pom) ?? [];
  if (!version) throw new Error(`${POM} names no <kafka.version>`);
  // Of another pom the jars are others.
  const folder = join(CACHE, `${version}-${createHash('sha256').update(pom).digest('hex').slice(0, 8)}`);
  return join(await wholeFolder(folder, fetchJars), '*');
};
