import { describe, expect, it } from '@jest/globals';
import { allOf, distinct, ids, interleaved, keysNamed } from './messages.ts';
import type { Workshop } from './workshop.ts';

export const describeGroups = (shop: Workshop): void => {
  describe('groups', () => {
    it('starts a new group at the beginning', async () => {
      const { topic, group } = await shop.topic(4);
      const published = interleaved(keysNamed('deposit', 10), 5);
      const bus = await shop.bus();
      await bus.publish(topic, published);
      const early = await shop.collect({ topic, group });
      await early.until(allOf(published));

      const late = await shop.collect({ topic, group: `${group}-late` });
      await late.until(allOf(published));
      expect(ids(late.seen).sort()).toEqual(ids(published).sort());
    });

    it('lets a group go on where it stopped, whatever another group does', async () => {
      const { topic, group } = await shop.topic(2);
      const [bus, other] = [await shop.bus(), `${group}-other`];
      const [before, after] = [interleaved(keysNamed('early', 4), 5), interleaved(keysNamed('late', 4), 5)];
      await bus.publish(topic, before);
      const first = await shop.collect({ topic, group });
      await first.until(allOf(before));
      await first.stop();

      await bus.publish(topic, after);
      const beside = await shop.collect({ topic, group: other });
      await beside.until(allOf([...before, ...after]));
      const again = await shop.collect({ topic, group });
      await again.until(allOf(after));
      await again.stop();

      expect(ids(again.seen).sort()).toEqual(ids(after).sort());
      expect(await bus.lag(topic, group)).toBe(0);
    });

    it('lets one group consume several topics, each with instances of its own', async () => {
      const [first, second] = [await shop.topic(2), await shop.topic(2)];
      const [bus, group] = [await shop.bus(), first.group];
      const [some, others] = [interleaved(keysNamed('deposit', 6), 4), interleaved(keysNamed('refund', 6), 4)];
      const deposits = await shop.collect({ topic: first.topic, group });
      const refunds = await shop.collect({ topic: second.topic, group });
      await Promise.all([bus.publish(first.topic, some), bus.publish(second.topic, others)]);
      await Promise.all([deposits.until(allOf(some)), refunds.until(allOf(others))]);

      expect(ids(deposits.seen).sort()).toEqual(ids(some).sort());
      expect(ids(refunds.seen).sort()).toEqual(ids(others).sort());
    });

    it('shares the partitions among the instances of a group, and every message is handled', async () => {
      const { topic, group } = await shop.topic(6);
      const [publisher, keys] = [await shop.bus(), keysNamed('deposit', 30)];
      const instances = [await shop.collect({ topic, group }), await shop.collect({ topic, group })];
      const published = [];
      for (let round = 0; instances.some(({ seen }) => seen.length === 0) || round < 5; round += 1) {
        const messages = interleaved(
          keys.map((key) => `${key}-${round}`),
          2,
        );
        await publisher.publish(topic, messages);
        published.push(...messages);
        await Promise.race(instances.map(({ until, seen }) => until(() => seen.length > 0)));
      }

      const seen = () => instances.flatMap((instance) => instance.seen);
      await Promise.race(instances.map(({ until }) => until(() => distinct(seen()) === published.length)));
      expect(new Set(ids(seen()))).toEqual(new Set(ids(published)));
    });
  });
};
