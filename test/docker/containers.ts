import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The project that `npm run test:docker` has started. */
const { COMPOSE_PROJECT: project = '' } = process.env;

const WITHIN_MS = 120_000;

export const docker = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await execute('docker', [...args], { timeout: WITHIN_MS, maxBuffer: 16_000_000 });
  return stdout.trim();
};

const labelled = (name: string, value: string): readonly string[] => [
  '--filter',
  `label=com.docker.compose.${name}=${value}`,
];

/** The containers of a service, running or not, always in the same order. */
export const containersOf = async (service: string): Promise<readonly string[]> => {
  const format = '{{.Label "com.docker.compose.container-number"}} {{.ID}}';
  const filters = [...labelled('project', project), ...labelled('service', service)];
  const lines = await docker('ps', '--all', ...filters, '--format', format);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .sort()
    .map((line) => line.split(' ')[1] ?? '');
};

export const containerOf = async (service: string, nth = 1): Promise<string> => {
  const container = (await containersOf(service))[nth - 1];
  if (!container) throw new Error(`${project} has no container number ${nth} of ${service}`);
  return container;
};

/** What a container is made with: `{{.Config.User}}` and the like. */
export const told = (container: string, format: string): Promise<string> =>
  docker('inspect', container, '--format', format);

export const networkOf = async (name: string): Promise<string> =>
  docker('network', 'ls', ...labelled('project', project), ...labelled('network', name), '--format', '{{.ID}}');

const isReady = (container: string): Promise<boolean> =>
  docker('exec', container, 'node', 'healthcheck.mjs', '/health/ready').then(
    () => true,
    () => false,
  );

export const untilReady = async (container: string): Promise<void> => {
  const deadline = Date.now() + WITHIN_MS;
  while (!(await isReady(container))) {
    if (Date.now() > deadline) throw new Error(`${container} was not ready within ${WITHIN_MS / 1_000} s`);
    await delay(500);
  }
};

export const stop = (containers: readonly string[]): Promise<string> => docker('stop', ...containers);

export const start = async (containers: readonly string[]): Promise<void> => {
  await docker('start', ...containers);
  await Promise.all(containers.map(untilReady));
};
