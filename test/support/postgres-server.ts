import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { startTcpProxy } from './tcp-proxy.ts';

export type PostgresServer = {
  /** Stays the same when the server comes back. */
  readonly url: string;
  /** The same server through a proxy of its own. */
  readonly shakyUrl: string;
  readonly hold: () => void;
  readonly cut: () => void;
  /** kill -9, and start again with what reached the disk. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const through = (url: string, port: number): string => {
  const proxied = new URL(url);
  proxied.port = String(port);
  return proxied.href;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A Postgres of the test's own, that it may kill. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill test '));
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const target = () => ({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  const steady = await startTcpProxy(target);
  const shaky = await startTcpProxy(target);
  return {
    url: through(server.url, steady.port),
    shakyUrl: through(server.url, shaky.port),
    hold: shaky.hold,
    cut: shaky.cut,
    crash: async () => {
      const { pid } = server;
      process.kill(pid, 'SIGKILL');
      while (isAlive(pid)) await delay(5);
      server = await startEmbeddedPostgres({ dataDir });
    },
    stop: async () => {
      await Promise.all([steady.close(), shaky.close()]);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
