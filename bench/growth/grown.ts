import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Ground } from '../lib/filled.ts';
import { type Service, startOn } from '../paths/contestants.ts';

const copyOf = (deposits: number): string => `beside_${deposits}`;

const asAdmin = async ({ url }: Ground, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
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
  const service = await startOn(url.href, ground.dataDir, {});
  // It gives out no number before it has counted what the log holds.
  while (!(await fetch(`${service.url}/health/ready`)).ok) await delay(500);
  console.log(
    `a service beside ${deposits} deposits was ready in ${Math.round((performance.now() - start) / 1_000)} s`,
  );
  return service;
};

export const takeAway = (ground: Ground, sizes: readonly number[]): Promise<void> =>
  asAdmin(
    ground,
    sizes.map((deposits) => `DROP DATABASE IF EXISTS ${copyOf(deposits)}`),
  );
