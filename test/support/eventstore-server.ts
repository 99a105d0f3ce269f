import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export type EventStoreServer = {
  readonly url: string;
  /** The same server through a proxy of its own. */
  readonly shakyUrl: string;
  readonly hold: () => void;
  readonly cut: () => void;
  /** Takes out of the log what was deleted; undefined: a real one, which does so chunk by chunk. */
  readonly scavenge: (() => Promise<void>) | undefined;
  /** kill -9, and start again with its data. */
  readonly crash: (() => Promise<void>) | undefined;
  readonly stop: () => Promise<void>;
};

/** A real server that somebody else started, and the command that kills and restarts it, if there is one. */
export const { EVENTSTORE_URL: realServer, EVENTSTORE_RESTART_COMMAND: restartCommand } = process.env;

const main = fileURLToPath(new URL('../engines/eventstoredb/main.ts', import.meta.url));

type Place = { readonly port: number; readonly controlPort: number; readonly dataDir: string };

const launch = async ({ port, controlPort, dataDir }: Place): Promise<ChildProcess> => {
  const args = [main, '--port', String(port), '--control-port', String(controlPort), '--data', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = createInterface(child.stdout);
  const [line] = await Promise.race([once(said, 'line'), once(child, 'exit')]);
  if (!String(line).startsWith('listening')) throw new Error(`the stand-in for EventStoreDB did not start: ${line}`);
  return child;
};

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const startStandIn = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-eventstore-'));
  const [port, controlPort] = [await freePort(), await freePort()];
  const place = { port, controlPort, dataDir };
  let child = await launch(place);
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    crash: async () => {
      await kill(child);
      child = await launch(place);
    },
    scavenge: async () => {
      const { status } = await fetch(`http://127.0.0.1:${controlPort}/scavenge`, { method: 'POST' });
      if (status !== 200) throw new Error(`the stand-in for EventStoreDB did not scavenge: ${status}`);
    },
    stop: async () => {
      await kill(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const useRealServer = (url: string) => ({
  url,
  scavenge: undefined,
  crash: restartCommand ? async () => void (await promisify(exec)(restartCommand)) : undefined,
  stop: async () => undefined,
});

/** The server that EVENTSTORE_URL names, else the stand-in as a process of its own. */
export const startEventStoreServer = async (): Promise<EventStoreServer> => {
  const server = realServer ? useRealServer(realServer) : await startStandIn();
  const { host, hostname, port } = new URL(server.url.replace(/^[a-z+]+:/, 'http:'));
  const shaky = await startTcpProxy(() => ({ host: hostname, port: Number(port) }));
  return {
    url: server.url,
    shakyUrl: server.url.replace(host, `127.0.0.1:${shaky.port}`),
    hold: shaky.hold,
    cut: shaky.cut,
    scavenge: server.scavenge,
    crash: server.crash,
    stop: async () => {
      await shaky.close();
      await server.stop();
    },
  };
};
