import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { migrations, openPostgresBus } from '#bus/postgres';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { openBus } from './stores.ts';

const database = databasePerTest(migrations);

const TOPIC = 'deposit-events';

const values = async (): Promise<readonly string[]> =>
  (await database.pool.query<{ value: string }>('SELECT value FROM bus_messages ORDER BY "offset"')).rows.map(
    ({ value }) => value,
  );

it('an installation on Postgres lets go of what every group has taken a week ago, and of nothing else', async () => {
  const publisher = database.closing(openPostgresBus({ databaseUrl: database.url }));
  await publisher.ensureTopic(TOPIC, { partitions: 1 });
  const sent = ['old', 'young', 'old and not taken'];
  await publisher.publish(
    TOPIC,
    sent.map((value) => ({ id: randomUUID(), key: 'deposit-1', value })),
  );
  expect(await values()).toEqual(sent);
  await database.pool.query(`UPDATE bus_messages SET published_at = now() - interval '8 days' WHERE value <> 'young'`);
  await database.pool.query(
    `INSERT INTO bus_offsets (group_name, topic, partition, committed) VALUES ('notifier', $1, 0, 2)`,
    [TOPIC],
  );
  const parts = { databaseUrl: database.url, logger: silentLogger, name: 'api' };
  database.closing(await openBus({ kind: 'postgres' }, parts));
  for (let look = 0; look < 100 && (await values()).includes('old'); look += 1) await later(50);
  expect(await values()).toEqual(['young', 'old and not taken']);
});
