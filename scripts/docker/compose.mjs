import { appendFileSync } from 'node:fs';
import { inProject } from '../lib/project.mjs';
import { outputOf, say, succeeds } from './command.mjs';
import { ensurePrograms } from './programs.mjs';

/** Compose as a part of the Docker client; else the older one that Debian packs, which reads the same files. */
export const findCompose = async () => {
  if (await succeeds('docker', ['compose', 'version'])) return ['docker', 'compose'];
  await ensurePrograms({ 'docker-compose': 'docker-compose' });
  return ['docker-compose'];
};

/**
 * Runs `work` while a project is up, and takes it down with all its data, whatever happens. What its containers said
 * is kept in `log` where something went wrong.
 */
export const whileUp = async ({ compose: [program, ...before], project, files, env, log }, work) => {
  const place = [...before, '-p', project, ...files.flatMap((file) => ['-f', inProject(file)])];
  const compose = (args, options) => outputOf(program, [...place, ...args], { env, ...options });
  const down = () => compose(['down', '--volumes', '--remove-orphans', '--timeout', '30'], { takesDown: true });
  // Of a run that was cut short.
  await down();
  let isFine = false;
  try {
    say(`starting ${project}`);
    await compose(['up', '--detach']);
    const result = await work();
    isFine = result.failed === 0;
    return result;
  } finally {
    if (!isFine) {
      appendFileSync(
        log,
        await compose(['logs', '--no-color', '--timestamps'], { takesDown: true }).catch(({ message }) => message),
      );
      say(`what the containers of ${project} said is in ${log}`);
    }
    say(`taking ${project} down`);
    await down();
  }
};
