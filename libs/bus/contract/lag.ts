import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';
import { interleaved, keysNamed } from './messages.ts';
import type { Workshop } from './workshop.ts';

export const describeLag = (shop: Workshop): void => {
  describe('lag', () => {
    it('is everything for a group that never was, and nothing in an empty topic', async () => {
      const { topic, group } = await shop.topic(3);
      const bus = await shop.bus();
      expect(await bus.lag(topic, group)).toBe(0);
      await bus.publish(topic, interleaved(keysNamed('deposit', 6), 5));
      expect(await bus.lag(topic, group)).toBe(30);
    });

    it('counts what is not yet committed, though it is being handled, and goes down to nothing', async () => {
      const { topic, group } = await shop.topic(1);
      const bus = await shop.bus();
      await bus.publish(topic, interleaved(['deposit'], 30));
      const entries = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
      const exits = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
      let batch = 0;
      await bus.consume({
        topic,
        group,
        batchSize: 10,
        onBatch: async () => {
          const n = batch;
          batch += 1;
          entries[n]?.resolve();
          await exits[n]?.promise;
        },
      });
      const lags: number[] = [];
      for (const [n, entry] of entries.entries()) {
        await entry.promise;
        lags.push(await bus.lag(topic, group));
        exits[n]?.resolve();
      }
      expect(lags).toEqual([30, 20, 10]);
      await eventually(() => bus.lag(topic, group), 0);
      await bus.publish(topic, interleaved(['later'], 4));
      await eventually(() => bus.lag(topic, group), 0);
    });
  });
};
