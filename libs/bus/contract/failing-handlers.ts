import { describe, expect, it } from '@jest/globals';
import type { Delivered } from '../port.ts';
import { collect, type Mood } from './collector.ts';
import { allOf, firstArrivals, ids, interleaved, keysNamed } from './messages.ts';
import type { Workshop } from './workshop.ts';

/** A handler that fails on one partition until it is healed. */
const unwellOn = (partition: number) => {
  const attempts: string[][] = [];
  const failedTwice = Promise.withResolvers<void>();
  let healed = false;
  const mood: Mood = (messages) => {
    if (healed || messages.every((message) => message.partition !== partition)) return;
    attempts.push(ids(messages));
    if (attempts.length === 2) failedTwice.resolve();
    throw new Error('The handler is not well');
  };
  const heal = (): void => {
    healed = true;
  };
  return { mood, heal, attempts, failedTwice: failedTwice.promise };
};

export const describeFailingHandlers = (shop: Workshop): void => {
  const published = async (topic: string, group: string, keys: readonly string[], count: number) => {
    const messages = interleaved(keys, count);
    await (await shop.bus()).publish(topic, messages);
    const reference = await shop.collect({ topic, group: `${group}-reference` });
    await reference.until(allOf(messages));
    return { messages, placed: reference.seen };
  };
  const elsewhere = (placed: readonly Delivered[]) => placed.filter(({ partition }) => partition !== 0);

  describe('a handler that throws', () => {
    it('gets the batch again in its order, while the other partitions go on', async () => {
      const { topic, group } = await shop.topic(4);
      const bus = await shop.bus();
      const { messages, placed } = await published(topic, group, keysNamed('deposit', 16), 4);
      const [unwell, others] = [unwellOn(0), elsewhere(placed)];
      const collected = await collect(bus, { topic, group }, unwell.mood);
      await Promise.all([collected.until(allOf(others)), unwell.failedTwice]);

      expect(collected.seen).toHaveLength(others.length);
      expect(await bus.lag(topic, group)).toBeGreaterThanOrEqual(messages.length - others.length);
      unwell.heal();
      await collected.until(allOf(messages));
      expect(unwell.attempts[1]?.[0]).toBe(unwell.attempts[0]?.[0]);
      expect(collected.seen).toHaveLength(messages.length);
      expect(firstArrivals(collected.seen)).toEqual(firstArrivals(messages));
    });

    it('holds back nothing that is published later to other partitions', async () => {
      const { topic, group } = await shop.topic(2);
      const bus = await shop.bus();
      const { placed } = await published(topic, group, keysNamed('deposit', 8), 1);
      const healthy = elsewhere(placed).map(({ key }) => key);
      const unwell = unwellOn(0);
      const collected = await collect(bus, { topic, group }, unwell.mood);
      await unwell.failedTwice;

      const all = interleaved(healthy, 3);
      await bus.publish(topic, all.slice(healthy.length));
      await collected.until(allOf(all));
      expect(healthy.length).toBeGreaterThan(0);
      expect(collected.seen).toHaveLength(all.length);
    });
  });
};
