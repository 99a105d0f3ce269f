import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kafka } from 'kafkajs';
import {
  endpoints,
  hookedCasinos,
  namesOf,
  openMarket,
  serviceAt,
  startService,
  toldOf,
} from '../../acceptance/harness/index.ts';
import { makeKeyStore } from '../key-store.ts';
import { type RunningKafka, startKafka } from './index.ts';
import { describeWithOwnBroker } from './own-broker.ts';

const PASSWORD = 'of-the-login';

describeWithOwnBroker('a broker behind TLS and a login', () => {
  const open = endpoints();
  let folder: string;
  let kafka: RunningKafka;
  let ca: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cointill-secured-'));
    const keyStore = await makeKeyStore(join(folder, 'broker.p12'));
    ca = keyStore.ca;
    kafka = await startKafka({ secured: { keyStore, username: 'pay', password: PASSWORD } });
  }, 90_000);
  afterAll(async () => {
    await kafka?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 90_000);

  const settings = async (password: string): Promise<Record<string, string>> => {
    const files = { KAFKA_CA_FILE: join(folder, 'ca.pem'), KAFKA_PASSWORD_FILE: join(folder, `password ${password}`) };
    await writeFile(files.KAFKA_CA_FILE, `${ca}\n`);
    await writeFile(files.KAFKA_PASSWORD_FILE, `${password}\n`);
    return {
      ...{ BUS: 'kafka', KAFKA_BROKERS: kafka.brokers, KAFKA_TLS: 'true', KAFKA_SASL: 'plain', KAFKA_USERNAME: 'pay' },
      ...{ KAFKA_PARTITIONS: '3', KAFKA_REPLICATION: '1' },
      ...files,
    };
  };

  it('carries webhooks, in as many partitions as were asked for', async () => {
    const running = await startService(await settings(PASSWORD));
    try {
      const service = serviceAt(() => running);
      await openMarket(service);
      const { casino, endpoint } = await hookedCasinos(service, open)();
      const deposit = await casino.deposit();
      await deposit.pay();
      const names = namesOf(await toldOf(endpoint, deposit, 3)).sort();
      expect(names).toEqual(['deposit.received', 'transaction.pending', 'transaction.succeed']);
    } finally {
      await running.stop();
    }
    const admin = new Kafka({
      brokers: [kafka.brokers],
      ssl: { ca },
      sasl: { mechanism: 'plain', username: 'pay', password: PASSWORD },
    }).admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: ['deposit-events'] });
    await admin.disconnect();
    expect(topics[0]?.partitions).toHaveLength(3);
  }, 60_000);

  it('is not ready for who has another password', async () => {
    const running = await startService(await settings('another'));
    try {
      const ready = await fetch(new URL('/health/ready', running.url));
      expect(ready.status).toBe(503);
      expect(await ready.text()).toContain('bus');
    } finally {
      await running.stop();
    }
  }, 60_000);
});
