import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24 } from '../lib/node24.mjs';
import { inProject } from '../lib/project.mjs';
import { isThere, makeDebian, makeNode } from './bases.mjs';
import { outputOf, say, succeeds } from './command.mjs';
import { ensurePrograms } from './programs.mjs';

const ours = (name) => `cointill-test/${name}`;

export const cointill = ours('cointill');

const defaultOf = (file, variable) => {
  const text = readFileSync(inProject('docker', file), 'utf8');
  const [, image] = new RegExp(`(?:ARG ${variable}=|\\$\\{${variable}:-)([^}\\s]+)`).exec(text) ?? [];
  return image;
};

let registryAnswers = true;

/** Asked once in vain, a registry is not asked for every other image as well. */
const canBeHad = async (image) => {
  if (await isThere(image)) return true;
  if (!registryAnswers) return false;
  registryAnswers = await succeeds('docker', ['pull', '--quiet', image], { withinMs: 5 * 60_000 });
  return registryAnswers;
};

/** The image itself, or what stands in for it, which is said. */
const imageOrStandIn = async (image, name, make) => {
  if (await canBeHad(image)) return image;
  const standIn = ours(name);
  say(`${image} cannot be pulled: ${standIn} stands in for it`);
  await make(standIn);
  return standIn;
};

const build = (tag, args) =>
  outputOf('docker', ['build', '--network', 'host', '--tag', tag, ...args], { withinMs: 15 * 60_000 });

const buildArgs = (args) => Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);

const revision = () => outputOf('git', ['rev-parse', 'HEAD']).catch(() => 'unknown');

/** The bases, and the image of the service on them. */
export const buildCointill = async () => {
  const base = await imageOrStandIn(defaultOf('Dockerfile', 'BASE_IMAGE'), 'debian', async (tag) => {
    if (!(await isThere(tag))) await makeDebian(tag);
  });
  const builder = await imageOrStandIn(defaultOf('Dockerfile', 'BUILD_IMAGE'), 'node', (tag) => makeNode(tag, base));
  say('building the image');
  const registry = await outputOf('npm', ['config', 'get', 'registry'], { withinMs: 60_000 });
  await build(cointill, [
    ...['--file', 'docker/Dockerfile'],
    ...buildArgs({ BASE_IMAGE: base, BUILD_IMAGE: builder, NPM_CONFIG_REGISTRY: registry, REVISION: await revision() }),
    '.',
  ]);
  return base;
};

const kafkaJars = async () => {
  await ensurePrograms({ java: 'default-jre-headless', mvn: 'maven' });
  const program = inProject('test', 'docker', 'kafka-jars.main.ts');
  return outputOf(node24(), ['--conditions=source', program]);
};

const inContext = async (work) => {
  const context = mkdtempSync(join(tmpdir(), 'cointill-stand-ins-'));
  try {
    cpSync(inProject('test', 'docker', 'stand-ins'), context, { recursive: true });
    return await work(context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
};

const fromDebian = (base, target) => (tag) =>
  inContext(async (context) => {
    if (target === 'kafka') cpSync(await kafkaJars(), join(context, 'jars'), { recursive: true });
    await build(tag, ['--target', target, ...buildArgs({ BASE_IMAGE: base }), context]);
  });

const eventStoreDb = (tag) =>
  inContext(async (context) => {
    cpSync(inProject('test', 'engines', 'eventstoredb'), join(context, 'eventstoredb'), { recursive: true });
    const file = join(context, 'eventstoredb.Dockerfile');
    await build(tag, ['--file', file, ...buildArgs({ COINTILL_IMAGE: cointill }), context]);
  });

/** The images of the others, as the variables that docker/ reads. */
export const findImages = async (base) => {
  const cluster = 'compose.cluster.yaml';
  const found = {};
  const find = async (variable, name, make) => {
    found[variable] = await imageOrStandIn(defaultOf(cluster, variable), name, make);
  };
  await find('POSTGRES_IMAGE', 'postgres', fromDebian(base, 'postgres'));
  await find('HAPROXY_IMAGE', 'haproxy', fromDebian(base, 'haproxy'));
  await find('KAFKA_IMAGE', 'kafka', fromDebian(base, 'kafka'));
  await find('EVENTSTORE_IMAGE', 'eventstoredb', eventStoreDb);
  return found;
};
