import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOnSignals, outputOf } from './docker/command.mjs';
import { findCompose, whileUp } from './docker/compose.mjs';
import { openEngine } from './docker/engine.mjs';
import { buildCointill, cointill, findImages } from './docker/images.mjs';
import { freePort, hostAsSeenFrom, untilServes } from './docker/place.mjs';
import { ensurePrograms } from './docker/programs.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { report, runJest } from './lib/jest.mjs';
import { inProject, main, Refusal } from './lib/project.mjs';

const makeSecrets = async (directory, images) => {
  await ensurePrograms({ openssl: 'openssl' });
  await outputOf(inProject('docker', 'make-secrets.sh'), [directory]);
  if (isStandIn(images.EVENTSTORE_IMAGE)) {
    writeFileSync(
      join(directory, 'eventstore-url'),
      'esdb://eventstore-1:2113,eventstore-2:2113,eventstore-3:2113?tls=false\n',
    );
  }
};

const isStandIn = (image) => image.startsWith('cointill-test/');

const secret = (directory, name) => readFileSync(join(directory, name), 'utf8').trim();

const testProject = async ({ compose, secrets, images, log }, { specs, ...project }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ ...images, COINTILL_IMAGE: cointill, SECRETS: secrets, PORT: String(port), PUBLIC_URL: url },
    ...{
      ENGINE: 'external',
      DEMO: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'info',
      KAFKA_HEAP_OPTS: '-Xmx384m',
    },
  };
  Object.assign(process.env, {
    ACCEPTANCE_URL: url,
    ACCEPTANCE_OPERATOR_TOKEN: secret(secrets, 'operator-token'),
    ACCEPTANCE_ENGINE_TOKEN: secret(secrets, 'engine-token'),
    COMPOSE_PROJECT: project.project,
    // The suites ask the service alone: no database is started for them.
    TEST_DATABASE_URL: 'postgres://none.invalid/none',
  });
  return whileUp({ compose, ...project, env, log }, async () => {
    process.env.ACCEPTANCE_ENDPOINT_HOST = await hostAsSeenFrom(project.project);
    await untilServes(url);
    return runJest([], ['--runInBand', '--testMatch', `**/test/docker/${specs}.docker.spec.ts`]);
  });
};

const single = {
  project: 'cointill-test-single',
  files: ['docker/compose.yaml'],
  first: ['postgres'],
  specs: 'single',
};

const cluster = ({ EVENTSTORE_IMAGE }) => ({
  project: 'cointill-test-cluster',
  files: [
    'docker/compose.cluster.yaml',
    ...(isStandIn(EVENTSTORE_IMAGE) ? ['test/docker/compose.stand-in-cluster.yaml'] : []),
  ],
  first: ['postgres', 'kafka-1', 'kafka-2', 'kafka-3', 'eventstore-1', 'eventstore-2', 'eventstore-3'],
  specs: 'cluster',
});

const testAll = async (scratch, wanted) => {
  const log = join(tmpdir(), `cointill-docker-${process.pid}.log`);
  const compose = await findCompose();
  const images = await findImages(await buildCointill());
  const secrets = join(scratch, 'secrets');
  await makeSecrets(secrets, images);
  const total = { passed: 0, failed: 0 };
  for (const project of [single, cluster(images)].filter(
    ({ specs }) => wanted.length === 0 || wanted.includes(specs),
  )) {
    const { passed, failed } = await testProject({ compose, secrets, images, log }, project);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
};

const failure = (error) => {
  console.error(error instanceof Refusal ? `cointill: ${error.message}` : error);
  return { passed: 0, failed: 1 };
};

const run = async (wanted) => {
  const scratch = mkdtempSync(join(tmpdir(), 'cointill-test-docker-'));
  try {
    const engine = await openEngine();
    return await testAll(scratch, wanted)
      .catch(failure)
      .finally(() => engine.stop());
  } catch (error) {
    return failure(error);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

main(async (args) => {
  await ensureInstalled();
  endOnSignals();
  return report(await run(args));
});
