import { describe, expect, it } from '@jest/globals';
import type { Delivered } from '../port.ts';
import { eventually } from './eventually.ts';
import { firstArrivals, ids, interleaved, keysNamed } from './messages.ts';
import type { Workshop } from './workshop.ts';

const PUBLISHED = interleaved(keysNamed('deposit', 20), 20);

/** What remained for the survivor is the end of each key, in its order. */
const expectInOrder = (seen: readonly Delivered[]): void => {
  const published = firstArrivals(PUBLISHED);
  for (const [key, arrived] of firstArrivals(seen)) {
    expect(arrived).toEqual(published.get(key)?.slice(-arrived.length));
  }
};

export const describeTakeOver = (shop: Workshop): void => {
  const instanceIsStruckBy = async (signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> => {
    const { topic, group } = await shop.topic(3);
    const bus = await shop.bus();
    const child = shop.process({ topic, group, batchSize: 16, hangAfter: 60 });
    await bus.publish(topic, PUBLISHED);
    await child.hanging;
    child.signal(signal);
    const struck = Date.now();

    const survivor = await shop.collect({ topic, group, batchSize: 16 });
    await survivor.until((seen) => new Set([...child.handled, ...ids(seen)]).size === PUBLISHED.length);
    expect(Date.now() - struck).toBeLessThan(shop.underTest().takeOverMs);
    await eventually(() => bus.lag(topic, group), 0);
    expect(ids(survivor.seen)).toContain(child.handled.at(-1));
    expectInOrder(survivor.seen);
  };

  describe('take-over', () => {
    it('gives the work of a killed instance to another, loses nothing and repeats the batch that was cut short', () =>
      instanceIsStruckBy('SIGKILL'));

    it('gives the work of a frozen instance to another', () => instanceIsStruckBy('SIGSTOP'));

    it('leaves the claim with an instance that says during a long batch that it is alive', async () => {
      const { topic, group } = await shop.topic(1);
      const [bus, published] = [await shop.bus(), interleaved(['deposit'], 5)];
      await bus.publish(topic, published);
      const started = Promise.withResolvers<void>();
      let deliveries = 0;
      const { longBatchMs } = shop.underTest();
      await bus.consume({
        topic,
        group,
        onBatch: async (messages, alive) => {
          deliveries += messages.length;
          started.resolve();
          const ends = Date.now() + longBatchMs;
          while (Date.now() < ends) {
            await alive();
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        },
      });
      await started.promise;
      const rival = await shop.collect({ topic, group });
      await eventually(() => bus.lag(topic, group), 0);

      expect(deliveries).toBe(5);
      expect(rival.seen).toEqual([]);
    });
  });
};
