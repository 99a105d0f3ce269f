import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inProject, Refusal } from '../lib/project.mjs';
import { outputOf, say, succeeds } from './command.mjs';
import { cointill } from './images.mjs';
import { ensurePrograms } from './programs.mjs';

/** Compose as a part of the Docker client; else the older one that Debian packs, which reads the same files. */
export const findCompose = async () => {
  if (await succeeds('docker', ['compose', 'version'])) return ['docker', 'compose'];
  await ensurePrograms({ 'docker-compose': 'docker-compose' });
  return ['docker-compose'];
};

const containersOf = async (project) => {
  const format = '{{.ID}}\t{{.Names}}\t{{.Image}}\t{{.Status}}';
  const filter = `label=com.docker.compose.project=${project}`;
  const lines = await outputOf('docker', ['ps', '--all', '--filter', filter, '--format', format]);
  return lines.split('\n').map((line) => {
    const [id, name, image, status = ''] = line.split('\t');
    return { id, name, image, status };
  });
};

/** An app is asked itself whether it is ready: the engine's own look at it comes late, and asks for less. */
const isFine = ({ id, image, status }) => {
  if (!status.startsWith('Up ')) return false;
  if (image === cointill) return succeeds('docker', ['exec', id, 'node', 'healthcheck.mjs', '/health/ready']);
  return !/\((health: starting|unhealthy)\)/.test(status);
};

const notFine = async (containers) => {
  const missing = [];
  for (const container of containers) if (!(await isFine(container))) missing.push(container);
  return missing;
};

const untilFine = async (project, withinMs) => {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const missing = await notFine(await containersOf(project));
    if (missing.length === 0) return;
    const told = missing.map(({ name, status }) => `${name} (${status})`).join(', ');
    if (Date.now() > deadline) throw new Refusal(`not ready within ${withinMs / 1_000} s: ${told}`);
    await delay(1_000);
  }
};

/**
 * Runs `work` while a project is up, and takes it down with all its data, whatever happens. What `first` names is
 * waited for before the rest is started. What the containers said is kept in `log` where something went wrong.
 */
export const whileUp = async ({ compose: [program, ...before], project, files, first, env, log }, work) => {
  const place = [...before, '-p', project, ...files.flatMap((file) => ['-f', inProject(file)])];
  const compose = (args, options) => outputOf(program, [...place, ...args], { env, ...options });
  const down = () => compose(['down', '--volumes', '--remove-orphans', '--timeout', '30'], { takesDown: true });
  // Of a run that was cut short.
  await down();
  let succeeded = false;
  try {
    say(`starting ${project}`);
    for (const services of [first, []]) {
      await compose(['up', '--detach', ...services]);
      await untilFine(project, 5 * 60_000);
    }
    const result = await work();
    succeeded = result.failed === 0;
    return result;
  } finally {
    if (!succeeded) {
      appendFileSync(log, await compose(['logs', '--no-color', '--timestamps'], { takesDown: true }).catch(String));
      say(`what the containers of ${project} said is in ${log}`);
    }
    say(`taking ${project} down`);
    await down();
  }
};
