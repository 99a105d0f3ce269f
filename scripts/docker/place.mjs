import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../lib/project.mjs';
import { outputOf } from './command.mjs';

export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
};

/** The address of this machine at which a project's containers reach it. */
export const hostAsSeenFrom = async (project) => {
  const filters = [`label=com.docker.compose.project=${project}`, 'label=com.docker.compose.network=out'];
  const listed = ['network', 'ls', '--quiet', ...filters.flatMap((filter) => ['--filter', filter])];
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  const gateway = await outputOf('docker', [
    'network',
    'inspect',
    await outputOf('docker', listed),
    '--format',
    format,
  ]);
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address));
  if (own.includes(gateway)) return gateway;
  throw new Refusal(
    'the Docker engine runs in a machine of its own: its containers cannot reach the endpoints that the tests open here. Use an engine on this machine (Linux)',
  );
};

const answersWell = async (url, headers) => {
  try {
    const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    return status !== 503 && status < 600;
  } catch {
    return false;
  }
};

/** One path of each app that answers requests; through a proxy each is served by another. */
const doors = ['/health/ready', '/operator/affiliates', '/engine/simulate'];

export const untilServes = async (url, withinMs = 60_000) => {
  const deadline = Date.now() + withinMs;
  for (const path of doors) {
    while (!(await answersWell(`${url}${path}`))) {
      if (Date.now() > deadline) throw new Refusal(`${path} was not served within ${withinMs / 1_000} s`);
      await delay(500);
    }
  }
};
