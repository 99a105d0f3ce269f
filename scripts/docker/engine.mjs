import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../lib/project.mjs';
import { outputOf, say, succeeds } from './command.mjs';
import { ensurePrograms } from './programs.mjs';

const answers = () => succeeds('docker', ['version']);

/** Images stay from run to run, outside the project: nothing that looks through its files has to pass them. */
const dataRoot = (driver) => {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const directory = join(caches, 'cointill', `docker-${driver}`);
  mkdirSync(directory, { recursive: true });
  return directory;
};

/** Ends the daemon when this process is gone, however it went: the pipe closes, the shell reads the end of it. */
const guard = (pid) =>
  spawn('sh', ['-c', 'read -r _; kill "$0"', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });

const isGone = (child) => child.exitCode !== null || child.signalCode !== null;

const untilAnswers = async (daemon) => {
  for (let waited = 0; waited < 60_000 && !isGone(daemon); waited += 500) {
    if (await answers()) return true;
    await delay(500);
  }
  return false;
};

const end = async (daemon) => {
  if (isGone(daemon)) return;
  const gone = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  const late = setTimeout(() => daemon.kill('SIGKILL'), 60_000);
  await gone;
  clearTimeout(late);
};

const startWith = async (driver, place) => {
  const socket = `unix://${join(place, 'docker.sock')}`;
  const log = openSync(join(place, 'dockerd.log'), 'a');
  const args = ['--data-root', dataRoot(driver), '--exec-root', join(place, 'exec'), '--pidfile', join(place, 'pid')];
  process.env.DOCKER_HOST = socket;
  // A group of its own: a Ctrl-C in the terminal must not end it before its containers are taken down.
  const daemon = spawn('dockerd', [...args, '--storage-driver', driver, '-H', socket], {
    stdio: ['ignore', log, log],
    detached: true,
  });
  daemon.on('error', () => undefined);
  const guarding = daemon.pid === undefined ? undefined : guard(daemon.pid);
  const stop = async () => {
    await end(daemon);
    guarding?.kill('SIGKILL');
  };
  if (await untilAnswers(daemon)) return stop;
  await stop();
  return undefined;
};

/** The daemon leaves the network namespaces of its containers mounted. */
const clear = async (place) => {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((path) => path.startsWith(`${place}/`))) {
    await outputOf('umount', ['--lazy', mount], { takesDown: true });
  }
  rmSync(place, { recursive: true, force: true });
};

const startOwn = async () => {
  await ensurePrograms({ dockerd: 'docker.io', docker: 'docker.io', iptables: 'iptables' });
  const place = mkdtempSync(join(tmpdir(), 'cointill-docker-'));
  for (const driver of ['overlay2', 'vfs']) {
    const stop = await startWith(driver, place);
    if (stop === undefined) continue;
    say(`no engine answered: dockerd was started for this run (storage driver ${driver})`);
    return {
      stop: async () => {
        await stop();
        await clear(place);
      },
    };
  }
  const log = readFileSync(join(place, 'dockerd.log'), 'utf8').trim().split('\n').slice(-20).join('\n');
  throw new Refusal(`dockerd does not start:\n${log}`);
};

/** The engine that answers, else one of this run's own, which `stop` ends. */
export const openEngine = async () => {
  if (await answers()) {
    say('using the Docker engine that answers');
    return { stop: async () => undefined };
  }
  return startOwn();
};
