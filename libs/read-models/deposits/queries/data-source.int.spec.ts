import { connect, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { isAway } from '#platform/postgres';
import { fatalError } from '../../../../test/support/fatal-error.ts';
import { startPooler } from '../../../../test/support/pooler.ts';
import { databasePerFile } from '../../../../test/support/with-database.ts';
import { openReadSource } from './data-source.ts';

const database = databasePerFile();

const READY = 0x5a;

/** Lets every connection go from when it is told to, in one piece with the word that it is ready. */
const lettingGo = async () => {
  const { hostname, port } = new URL(database.url);
  let isLettingGo = false;
  const server = createServer((client) => {
    const there = connect(Number(port), hostname);
    client.pipe(there);
    there.on('data', (bytes) => {
      if (!isLettingGo || bytes.at(-6) !== READY) return client.write(bytes);
      there.destroy();
      return client.end(Buffer.concat([bytes, fatalError('57P01', 'terminating connection')]));
    });
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  database.atEnd(async () => void server.close());
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? String(address.port) : '';
  return {
    url: Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: own }).href,
    begin: () => {
      isLettingGo = true;
    },
  };
};

it('a connection that the server lets go as soon as it is made fails its question alone', async () => {
  const server = await lettingGo();
  const source = await openReadSource({ url: server.url, connections: 4 });
  server.begin();
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => source.query('SELECT pg_sleep(0.01)')));
  for (const answer of asked) expect(answer.status === 'fulfilled' || isAway(answer.reason)).toBe(true);
  expect(asked.some(({ status }) => status === 'rejected')).toBe(true);
  await source.destroy();
});

it('a question of a list is cancelled in time by the server, behind a pooler too', async () => {
  const pooler = database.closing(await startPooler(database.url));
  for (const url of [database.url, pooler.url]) {
    const source = await openReadSource({ url });
    database.atEnd(() => source.destroy());
    expect(await source.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
  }
});
