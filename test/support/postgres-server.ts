import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { startTcpProxy } from './tcp-proxy.ts';

export type PostgresServer = {
  /** Stays the same when the server comes back. */
  readonly url: string;
  /** The same server through a proxy of its own. */
  readonly shakyUrl: string;
  readonly hold: () => void;
  readonly silence: () => void;
  readonly cut: () => void;
  /** kill -9, and start again with what reached the disk. */
  readonly crash: () => Promise<void>;
  /** Files as they lie on the disk now, for `putBack`. The server is killed for it, and comes back. */
  readonly keep: () => Promise<void>;
  /** The server is killed, and another comes to stand in its place: its files of `keep`, or a standby that has come as far. */
  readonly putBack: (as: 'files' | 'standby') => Promise<void>;
  /** The standby takes over. */
  readonly promote: () => Promise<void>;
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
  const kept = `${dataDir} kept`;
  const killed = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await delay(5);
    await meanwhile();
    server = await startEmbeddedPostgres({ dataDir });
  };
  return {
    url: through(server.url, steady.port),
    shakyUrl: through(server.url, shaky.port),
    hold: shaky.hold,
    silence: shaky.silence,
    cut: shaky.cut,
    crash: () => killed(async () => undefined),
    keep: () => killed(() => cp(join(dataDir, 'postgres'), kept, { recursive: true })),
    putBack: (as) =>
      killed(async () => {
        await rm(join(dataDir, 'postgres'), { recursive: true });
        await cp(kept, join(dataDir, 'postgres'), { recursive: true });
        if (as === 'standby') await writeFile(join(dataDir, 'postgres', 'data', 'standby.signal'), '');
      }),
    promote: async () => {
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query('SELECT pg_promote()');
      await client.end();
    },
    stop: async () => {
      await Promise.all([steady.close(), shaky.close()]);
      await server.stop();
      for (const each of [dataDir, kept]) await rm(each, { recursive: true, force: true });
    },
  };
};
