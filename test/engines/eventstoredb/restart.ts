import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// usage: node restart.ts --port N --data DIR […]: kills the stand-in on DIR without a goodbye, if there is one,
// starts it again with the same arguments and returns once it takes connections.
const args = process.argv.slice(2);
const { values } = parseArgs({
  args,
  strict: false,
  options: { port: { type: 'string' }, data: { type: 'string' } },
});
const { port, data } = values;
if (typeof port !== 'string' || typeof data !== 'string') throw new Error('usage: restart.ts --port N --data DIR […]');

const DEADLINE_MS = 20_000;

const takesConnections = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

const until = async (what: string, done: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + DEADLINE_MS; !(await done()); await sleep(20))
    if (Date.now() > end) throw new Error(`${what}: not within ${DEADLINE_MS} ms; see ${join(data, 'stderr.log')}`);
};

const pidFile = join(data, 'pid');
if (existsSync(pidFile)) {
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  rmSync(pidFile);
  await until(`port ${port} is free`, async () => !(await takesConnections()));
}

mkdirSync(data, { recursive: true });
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const stderr = openSync(join(data, 'stderr.log'), 'a');
spawn(process.execPath, [main, ...args], { detached: true, stdio: ['ignore', 'ignore', stderr] }).unref();
await until(`the stand-in listens on ${port}`, async () => existsSync(pidFile) && (await takesConnections()));
