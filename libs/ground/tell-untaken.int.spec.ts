import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { migrations as ofBus, openPostgresBus } from '#bus/postgres';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { eventually } from '#read-models/testing';
import { databasePerFile } from '../../test/support/with-database.ts';
import { tellUntaken } from './tell-untaken.ts';

const database = databasePerFile(ofBus);

const topic = 'deposit-events';

const messages = (key: string, count: number) =>
  Array.from({ length: count }, (_, nth) => ({ id: `${key}/${nth}`, key, value: '{}' }));

const open = () => {
  const bus = database.closing(openPostgresBus({ databaseUrl: database.url, pollMs: 20 }));
  const health = createHealth();
  const metrics = createMetrics();
  const alarms = async () => (await health.readiness()).alarms ?? [];
  const lag = async () => {
    const text = await metrics.registry.getSingleMetricAsString('bus_lag_messages');
    return Number(/^bus_lag_messages\{topic="deposit-events"\} (\S+)$/m.exec(text)?.[1]);
  };
  const watch = (standsAfterMs: number) =>
    tellUntaken({ bus, health, metrics, logger: silentLogger, everyMs: 20, standsAfterMs });
  return { bus, alarms, lag, watch };
};

const untaken = [`nobody takes what waits on ${topic}`];

it('tells readiness of what nobody takes off the bus, also where one partition alone stands, until somebody does', async () => {
  const { bus, alarms, lag, watch } = open();
  const watching = watch(300);
  await eventually(lag, (told) => told === 0);
  await bus.ensureTopic(topic, { partitions: 4 });
  await bus.publish(topic, [...messages('deposit-1', 3), ...messages('deposit-2', 2)]);
  await eventually(alarms, (told) => told.join() === untaken.join());
  expect(await lag()).toBe(5);
  let isMended = false;
  const consumer = await bus.consume({
    topic,
    group: 'notifier',
    onBatch: async (batch) => {
      if (!isMended && batch.some(({ key }) => key === 'deposit-1')) throw new Error('a mistake of ours');
    },
  });
  await eventually(lag, (told) => told === 3);
  for (let nth = 0; nth < 20; nth += 1) {
    await bus.publish(topic, messages('deposit-2', 1));
    await delay(20);
  }
  expect(await alarms()).toEqual(untaken);
  isMended = true;
  await eventually(alarms, (told) => told.length === 0);
  expect(await lag()).toBe(0);
  await Promise.all([consumer.stop(), watching.stop()]);
});

it('tells nothing of what waits and moves', async () => {
  const { bus, alarms, lag, watch } = open();
  const consumer = await bus.consume({ topic, group: 'notifier', batchSize: 1, onBatch: () => delay(120) });
  const watching = watch(400);
  await bus.publish(topic, messages('deposit-3', 12));
  await eventually(lag, (told) => told > 0);
  while ((await lag()) > 0) {
    expect(await alarms()).toEqual([]);
    await delay(50);
  }
  await Promise.all([consumer.stop(), watching.stop()]);
});
