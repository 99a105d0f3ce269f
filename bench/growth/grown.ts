import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresEventLog } from '#event-log/postgres';
import { moveRelay, readRelayPosition } from '#webhooks';
import type { Ground } from '../lib/filled.ts';
import { addressOf, serviceOn, stopping } from '../lib/processes.ts';
import { type Service, startOn } from '../paths/contestants.ts';

const copyOf = (deposits: number): string => `beside_${deposits}`;

const asAdmin = async ({ url }: Ground, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

/** As a service that has been running: what is filled was told long ago. */
const tellNoneOf = async (databaseUrl: string): Promise<void> => {
  const [client, log] = [new pg.Client(databaseUrl), await openPostgresEventLog({ databaseUrl })];
  await client.connect();
  const head = await log.head();
  if (head !== undefined) await moveRelay(client, await readRelayPosition(client), head);
  await log.close();
  await client.query('VACUUM ANALYZE');
  await client.end();
};

const untilReady = async (url: string): Promise<void> => {
  while (!(await fetch(`${url}/health/ready`)).ok) await delay(500);
};

/** It gives out no number before it has counted what the log holds. */
const countOnce = async (databaseUrl: string, { dataDir }: Ground): Promise<void> => {
  const child = serviceOn(databaseUrl, dataDir, { DEMO: 'true' });
  await untilReady(await addressOf(child));
  await stopping(child)();
};

/** A service beside that many deposits, on a copy: what was filled stays as it is. */
export const grown = async (ground: Ground, deposits: number): Promise<Service> => {
  const name = copyOf(deposits);
  await asAdmin(ground, [
    `DROP DATABASE IF EXISTS ${name}`,
    `CREATE DATABASE ${name} TEMPLATE filled_${deposits} STRATEGY file_copy`,
  ]);
  const url = new URL(ground.url);
  url.pathname = `/${name}`;
  const start = performance.now();
  await countOnce(url.href, ground);
  const seconds = Math.round((performance.now() - start) / 1_000);
  console.log(`a service beside ${deposits} deposits that it had not counted was ready in ${seconds} s`);
  await tellNoneOf(url.href);
  const service = await startOn(url.href, ground.dataDir, {});
  await untilReady(service.url);
  return service;
};

export const takeAway = (ground: Ground, sizes: readonly number[]): Promise<void> =>
  asAdmin(
    ground,
    sizes.map((deposits) => `DROP DATABASE IF EXISTS ${copyOf(deposits)}`),
  );
