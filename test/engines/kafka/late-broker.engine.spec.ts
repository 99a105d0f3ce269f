import { expect, it } from '@jest/globals';
import {
  endpoints,
  eventually,
  hookedCasinos,
  namesOf,
  openMarket,
  serviceAt,
  startService,
  toldOf,
} from '../../acceptance/harness/index.ts';
import { startKafka } from './index.ts';
import { describeWithOwnBroker } from './own-broker.ts';

describeWithOwnBroker('a broker that comes later than the service', () => {
  const open = endpoints();

  it('costs no webhook: deposits go on without it, and what they told arrives with it', async () => {
    const kafka = await startKafka();
    await kafka.kill();
    const running = await startService({ BUS: 'kafka', KAFKA_BROKERS: kafka.brokers });
    try {
      const service = serviceAt(() => running);
      await openMarket(service);
      const { casino, endpoint } = await hookedCasinos(service, open)();
      const deposit = await casino.deposit();
      await deposit.pay();
      expect(endpoint.arrivals).toEqual([]);
      await kafka.restart();
      const arrivals = await eventually(
        () => toldOf(endpoint, deposit, 3).catch(() => []),
        (told) => told.length >= 3,
        60_000,
      );
      expect(namesOf(arrivals).sort()).toEqual(['deposit.received', 'transaction.pending', 'transaction.succeed']);
    } finally {
      await running.stop();
      await kafka.stop();
    }
  }, 120_000);

  it('is waited for at first; when it goes again, that is told, and nobody is unready for it', async () => {
    const kafka = await startKafka();
    await kafka.kill();
    const running = await startService({ BUS: 'kafka', KAFKA_BROKERS: kafka.brokers });
    const ready = () => serviceAt(() => running).call('GET', '/health/ready');
    const bus = { name: 'bus', ok: false, detail: expect.any(String) };
    try {
      expect(await ready()).toMatchObject({ status: 503, body: { checks: expect.arrayContaining([bus]) } });
      await kafka.restart();
      await eventually(ready, ({ status }) => status === 200, 60_000);
      await kafka.kill();
      const away = await eventually(ready, ({ text }) => text.includes('"ok":false'), 60_000);
      expect(away).toMatchObject({
        status: 200,
        body: { status: 'ready', checks: expect.arrayContaining([bus]) },
      });
      const askedAt = performance.now();
      for (let times = 1; times <= 5; times += 1) expect(await ready()).toMatchObject({ status: 200 });
      expect((performance.now() - askedAt) / 5).toBeLessThan(1_000);
    } finally {
      await running.stop();
      await kafka.stop();
    }
  }, 120_000);
});
