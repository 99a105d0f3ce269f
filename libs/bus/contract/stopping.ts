import { describe, expect, it } from '@jest/globals';
import { allOf, ids, interleaved, keysNamed } from './messages.ts';
import type { Workshop } from './workshop.ts';

export const describeStopping = (shop: Workshop): void => {
  describe('a graceful stop', () => {
    it('waits for the batch under way, commits it and repeats nothing', async () => {
      const { topic, group } = await shop.topic(2);
      const [bus, published] = [await shop.bus(), interleaved(keysNamed('deposit', 8), 10)];
      await bus.publish(topic, published);
      const handled: string[] = [];
      const [underWay, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const consumer = await bus.consume({
        topic,
        group,
        batchSize: 7,
        onBatch: async (messages) => {
          if (handled.length >= 20) {
            underWay.resolve();
            await goOn.promise;
          }
          handled.push(...ids(messages));
        },
      });
      await underWay.promise;
      const stopped = consumer.stop();
      goOn.resolve();
      await stopped;
      const handledAtStop = handled.length;

      expect(await bus.lag(topic, group)).toBe(published.length - handledAtStop);
      const next = await shop.collect({ topic, group });
      await next.until((seen) => seen.length >= published.length - handledAtStop);
      await next.stop();
      expect(handled).toHaveLength(handledAtStop);
      expect([...handled, ...ids(next.seen)].sort()).toEqual(ids(published).sort());
    });

    it('stops the consumers when the bus closes, and can be asked twice', async () => {
      const { topic, group } = await shop.topic(2);
      const [bus, publisher] = [await shop.bus(), await shop.bus()];
      const [before, after] = [interleaved(keysNamed('before', 4), 2), interleaved(keysNamed('after', 4), 2)];
      await publisher.publish(topic, before);
      const first = await shop.collect({ topic, group }, bus);
      await first.until(allOf(before));
      await Promise.all([bus.close(), bus.close(), first.stop()]);

      await publisher.publish(topic, after);
      const second = await shop.collect({ topic, group });
      await second.until(allOf(after));
      expect(first.seen).toHaveLength(before.length);
      expect(second.seen).toHaveLength(after.length);
    });

    it('takes nothing more once it is closed: no consumer is left behind that nobody could stop', async () => {
      const { topic, group } = await shop.topic(2);
      const [bus, other] = [await shop.bus(), await shop.bus()];
      const published = interleaved(keysNamed('deposit', 4), 2);
      await bus.publish(topic, published);
      await (await shop.collect({ topic, group: `${group}-before` }, bus)).until(allOf(published));
      const meanwhile = shop.collect({ topic, group }, bus);
      await Promise.all([bus.close(), meanwhile.catch(() => undefined)]);

      const closed = { code: 'unavailable', message: expect.stringContaining('closed') };
      await expect(meanwhile).rejects.toMatchObject({ code: 'unavailable' });
      await expect(shop.collect({ topic, group }, bus)).rejects.toMatchObject(closed);
      await expect(bus.publish(topic, published)).rejects.toMatchObject(closed);
      await expect(bus.lag(topic, group)).rejects.toMatchObject(closed);
      expect(await other.lag(topic, group)).toBe(published.length);
    });
  });
};
