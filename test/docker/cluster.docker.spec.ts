import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bindClauses } from '../acceptance/bind.ts';
import {
  endpoints,
  eventually,
  expectAllToldOnce,
  type Hooked,
  hookedCasinos,
  mainJob,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';
import { containerOf, containersOf, docker, networkOf, start, stop, untilReady } from './containers.ts';
import { keepsToItself } from './images.ts';

const apps = ['api', 'operator', 'engine', 'projector', 'notifier'];

const nodes = ['eventstore-1', 'eventstore-2', 'eventstore-3'];

const patience = 300_000;

/** Jobs one after the other for as long as something else goes on, and one more. */
const jobsDuring = async (hooked: Hooked, event: Promise<unknown>): Promise<readonly number[]> => {
  let goesOn = true;
  const over = event.finally(() => {
    goesOn = false;
  });
  const deposits: number[] = [];
  while (goesOn) deposits.push(await mainJob(hooked));
  await over;
  deposits.push(await mainJob(hooked));
  return deposits;
};

bindClauses('on the cluster', async () => ({ ...(await startService()), changesReachAllWithinMs: 1_000 }));

describe('the cluster', () => {
  const open = endpoints();
  let hooked: Hooked;

  beforeAll(async () => {
    const running = await startService();
    hooked = await hookedCasinos(
      serviceAt(() => running),
      open,
    )();
  });

  describe('its containers', () => keepsToItself(apps));

  it('has two instances of each app', async () => {
    for (const app of apps) expect([app, (await containersOf(app)).length]).toEqual([app, 2]);
  });

  it('keeps three copies of each message, of which two have to hold it', async () => {
    const told = await docker('exec', await containerOf('notifier'), 'node', '-e', copiesOfTopics);
    const topics = JSON.parse(told);
    expect(topics.length).toBeGreaterThan(0);
    for (const topic of topics) expect(topic).toMatchObject({ copies: [3], minInSync: '2' });
  });

  it('has a replica of Postgres that follows', async () => {
    const deposit = await mainJob(hooked);
    const replica = await containerOf('postgres-replica');
    const ask = (sql: string) => docker('exec', replica, 'psql', '-U', 'postgres', '-d', 'cointill', '-Atc', sql);
    expect(await ask('SELECT pg_is_in_recovery()')).toBe('t');
    await delay(1_000);
    expect(await ask(`SELECT count(*) > 0 FROM webhook_deliveries WHERE deposit_id = ${deposit}`)).toBe('t');
  });

  it.each([1, 2])(
    'does the main job while instance %s of each app is stopped',
    async (nth) => {
      const instances = await Promise.all(apps.map((app) => containerOf(app, nth)));
      await stop(instances);
      try {
        const deposits = [await mainJob(hooked), await mainJob(hooked), await mainJob(hooked)];
        await expectAllToldOnce(hooked.endpoint, deposits);
      } finally {
        await start(instances);
      }
    },
    patience,
  );

  it(
    'refuses nobody while its instances are exchanged, one after the other',
    async () => {
      const exchange = async () => {
        for (const app of apps) {
          for (const instance of await containersOf(app)) {
            await stop([instance]);
            await start([instance]);
          }
        }
      };
      await expectAllToldOnce(hooked.endpoint, await jobsDuring(hooked, exchange()));
    },
    patience,
  );

  it(
    'loses and doubles no webhook when a broker is cut off from the others and comes back',
    async () => {
      const [broker, network] = await Promise.all([containerOf('kafka-2'), networkOf('stores')]);
      const cut = async () => {
        await docker('network', 'disconnect', network, broker);
        await delay(20_000);
        await docker('network', 'connect', '--alias', 'kafka-2', network, broker);
        await delay(5_000);
      };
      await expectAllToldOnce(hooked.endpoint, await jobsDuring(hooked, cut()));
    },
    patience,
  );

  it.each(nodes)(
    'goes on soon after the end of %s, and has all that it answered before',
    async (node) => {
      const before = await mainJob(hooked);
      const container = await containerOf(node);
      await docker('kill', container);
      try {
        // Nobody leads for some seconds, and what is refused meanwhile says so.
        const attempt = () => mainJob(hooked).catch(() => 0);
        const after = await eventually(attempt, (deposit) => deposit > 0, 60_000);
        expect(await hooked.casino.read(before)).toMatchObject({ decision: 'accepted' });
        await expectAllToldOnce(hooked.endpoint, [before, after]);
      } finally {
        await docker('start', container);
      }
    },
    patience,
  );

  it(
    'has everything after a restart of all that it stands on',
    async () => {
      const before = await mainJob(hooked);
      const stores = [...nodes, 'kafka-1', 'kafka-2', 'kafka-3', 'postgres'];
      await docker('restart', ...(await Promise.all(stores.map((store) => containerOf(store)))));
      for (const app of apps) await Promise.all((await containersOf(app)).map(untilReady));
      expect(await hooked.casino.read(before)).toMatchObject({ decision: 'accepted' });
      await expectAllToldOnce(hooked.endpoint, [before, await mainJob(hooked)]);
    },
    patience,
  );
});

/** Run in a container, which alone can reach the brokers. */
const copiesOfTopics = `
  const { Kafka, ConfigResourceTypes, logLevel } = require('kafkajs');
  const brokers = process.env.KAFKA_BROKERS.split(',');
  const admin = new Kafka({ clientId: 'looks', brokers, logLevel: logLevel.NOTHING }).admin();
  const look = async () => {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata();
    const found = [];
    for (const { name, partitions } of topics) {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames: ['min.insync.replicas'] }],
      });
      const copies = [...new Set(partitions.map(({ replicas }) => replicas.length))];
      found.push({ name, copies, minInSync: resources[0].configEntries[0].configValue });
    }
    await admin.disconnect();
    console.log(JSON.stringify(found));
  };
  look();
`;
