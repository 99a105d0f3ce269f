import { describe, expect, it } from '@jest/globals';
import { MAX_MESSAGE_BYTES } from '../message.ts';
import { allOf, interleaved, keysNamed, message } from './messages.ts';
import type { Workshop } from './workshop.ts';

export const describePublishing = (shop: Workshop): void => {
  describe('publishing', () => {
    it('is durable when it returns: another bus counts every message at once', async () => {
      const { topic, group } = await shop.topic(4);
      const [bus, other] = [await shop.bus(), await shop.bus()];
      for (let round = 1; round <= 10; round += 1) {
        await bus.publish(topic, interleaved(keysNamed(`deposit-${round}`, 5), 4));
        expect(await other.lag(topic, group)).toBe(round * 20);
      }
    });

    it('carries text of every script, empty values, and 900 kB, byte by byte', async () => {
      const { topic, group } = await shop.topic(2);
      const published = [
        message(
          'ключ-鍵-🔑',
          0,
          'Ünïcödé, 中文, العربية, 🪙\u{10FFFF}, "quotes", \\backslashes\\, \ttabs\r\n, {}, NULL',
        ),
        message('empty', 0, ''),
        message('large', 0, 'é'.repeat(450_000)),
        message('large', 1, 'x'.repeat(900_000)),
        message('large', 2, 'y'.repeat(900_000)),
      ];
      await (await shop.bus()).publish(topic, published);
      const collected = await shop.collect({ topic, group });
      await collected.until(allOf(published));

      const byId = new Map(collected.seen.map(({ id, key, value }) => [id, { id, key, value }]));
      for (const one of published)
        expect(byId.get(one.id)?.value === one.value && byId.get(one.id)?.key === one.key).toBe(true);
    });

    it('refuses as a whole a batch with a message that not every carrier could hold', async () => {
      const { topic, group } = await shop.topic(1);
      const bus = await shop.bus();
      const refused = [
        message('k', 1, 'x'.repeat(MAX_MESSAGE_BYTES)),
        message('k', 2, 'a\u0000b'),
        message('k', 3, '\uD800'),
      ];
      for (const one of refused) {
        await expect(bus.publish(topic, [message('k', 0), one])).rejects.toMatchObject({ code: 'refused' });
      }
      const fits = message('k', 4, 'x'.repeat(MAX_MESSAGE_BYTES - 4));
      await bus.publish(topic, [fits]);
      expect(await bus.lag(topic, group)).toBe(1);
    });

    it('says which topic is missing, and refuses names that a carrier could not keep', async () => {
      const bus = await shop.bus();
      const missing = { code: 'unknown_topic', message: expect.stringContaining('no-such-topic') };
      await expect(bus.publish('no-such-topic', [message('k', 0)])).rejects.toMatchObject(missing);
      await expect(bus.lag('no-such-topic', 'g')).rejects.toMatchObject(missing);
      await expect(
        bus.consume({ topic: 'no-such-topic', group: 'g', onBatch: async () => undefined }),
      ).rejects.toMatchObject(missing);
      await expect(bus.ensureTopic('not a name')).rejects.toMatchObject({ code: 'refused' });
    });

    it('says which carrier it is, always the same', async () => {
      const [bus, other] = [await shop.bus(), await shop.bus()];
      const identity = await bus.identity();
      expect(identity).toMatch(/^(postgres|kafka .+)$/);
      expect(await other.identity()).toBe(identity);
    });

    it('keeps the partitions of a topic that exists, however many ask for it at once', async () => {
      const { topic, group } = await shop.topic(2);
      const buses = [await shop.bus(), await shop.bus(), await shop.bus()];
      await Promise.all(buses.map((bus) => bus.ensureTopic(topic, { partitions: 5 })));
      await Promise.all(buses.map((bus) => bus.ensureTopic(`${topic}-new`, { partitions: 3 })));
      const published = interleaved(keysNamed('deposit', 40), 1);
      await buses[0]?.publish(topic, published);
      const collected = await shop.collect({ topic, group });
      await collected.until(allOf(published));
      expect(new Set(collected.seen.map(({ partition }) => partition))).toEqual(new Set([0, 1]));
    });

    it('takes an empty batch', async () => {
      const { topic, group } = await shop.topic(1);
      const bus = await shop.bus();
      await bus.publish(topic, []);
      expect(await bus.lag(topic, group)).toBe(0);
    });
  });
};
