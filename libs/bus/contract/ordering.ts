import { describe, expect, it } from '@jest/globals';
import type { BusMessage } from '../port.ts';
import { allOf, firstArrivals, ids, interleaved, keysNamed, message } from './messages.ts';
import type { Workshop } from './workshop.ts';

const inBatchesOf = (size: number, messages: readonly BusMessage[]): BusMessage[][] =>
  Array.from({ length: Math.ceil(messages.length / size) }, (_, n) => messages.slice(n * size, (n + 1) * size));

export const describeOrdering = (shop: Workshop): void => {
  describe('order', () => {
    it('keeps the order of every key while several publish at the same time', async () => {
      const { topic, group } = await shop.topic(4);
      const published = ['ann', 'ben', 'cal', 'dot'].map((name) => interleaved(keysNamed(name, 12), 25));
      const collected = await shop.collect({ topic, group, batchSize: 40 });

      await Promise.all(
        published.map(async (messages) => {
          const bus = await shop.bus();
          for (const batch of inBatchesOf(17, messages)) await bus.publish(topic, batch);
        }),
      );
      await collected.until(allOf(published.flat()));

      expect(collected.seen).toHaveLength(published.flat().length);
      expect(firstArrivals(collected.seen)).toEqual(firstArrivals(published.flat()));
    });

    it('gives one partition in one order to every group, all of a key in one partition', async () => {
      const { topic, group } = await shop.topic(3);
      const published = interleaved(keysNamed('deposit', 9), 10);
      await (await shop.bus()).publish(topic, published);
      const [first, second] = [
        await shop.collect({ topic, group }),
        await shop.collect({ topic, group: `${group}-2` }),
      ];
      await Promise.all([first.until(allOf(published)), second.until(allOf(published))]);

      const places = (seen: typeof first.seen) =>
        new Map(seen.map(({ id, partition, offset }) => [id, [partition, offset]]));
      expect(places(second.seen)).toEqual(places(first.seen));
      const homes = new Set(first.seen.map(({ key, partition }) => `${key} in ${partition}`));
      expect(homes.size).toBe(9);
      expect(new Set(first.seen.map(({ partition }) => partition)).size).toBeGreaterThan(1);
    });

    it('never gives more than a batch at once', async () => {
      const { topic, group } = await shop.topic(1);
      const bus = await shop.bus();
      await bus.publish(topic, interleaved(['deposit'], 25));
      const batches: string[][] = [];
      const all = Promise.withResolvers<void>();
      await bus.consume({
        topic,
        group,
        batchSize: 10,
        onBatch: async (messages) => {
          batches.push(ids(messages));
          if (batches.flat().length === 25) all.resolve();
        },
      });
      await all.promise;

      expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10);
      expect(batches.flat()).toEqual(Array.from({ length: 25 }, (_, n) => message('deposit', n).id));
    });
  });
};
