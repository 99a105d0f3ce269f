import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BusError } from '../errors.ts';
import type { Bus, BusMessage } from '../port.ts';
import { eventually } from './eventually.ts';
import { allOf, firstArrivals, interleaved, keysNamed, message } from './messages.ts';
import type { Workshop } from './workshop.ts';

type Cutter = { readonly cut: () => number; readonly stop: () => void };

const isSocketEvent = (event: unknown): event is { socket: Socket } =>
  typeof event === 'object' && event !== null && 'socket' in event;

/** Breaks this process's connections to the ports, as a failing network would: whatever was under way stays unknown. */
const connectionCutter = (ports: readonly number[]): Cutter => {
  const sockets = new Set<Socket>();
  const watch = (event: unknown): void => {
    if (!isSocketEvent(event)) return;
    const { socket } = event;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe('net.client.socket', watch);
  return {
    cut: () => {
      const broken = [...sockets].filter(({ remotePort }) => remotePort !== undefined && ports.includes(remotePort));
      for (const socket of broken) socket.destroy(new Error('The connection was cut'));
      return broken.length;
    },
    stop: () => unsubscribe('net.client.socket', watch),
  };
};

/** Publishes until it is told that it worked, as the port asks; returns how often it was told otherwise. */
export const publishUntilTold = async (bus: Bus, topic: string, messages: readonly BusMessage[]): Promise<number> => {
  for (let failures = 0; ; failures += 1) {
    try {
      await bus.publish(topic, messages);
      return failures;
    } catch (error) {
      if (!(error instanceof BusError) || error.code !== 'unavailable') throw error;
    }
  }
};

export const describeCutLines = (shop: Workshop): void => {
  describe('lost connections', () => {
    let cutter: Cutter | undefined;
    afterEach(() => cutter?.stop());

    it('neither lose nor reorder what is published again after an unknown outcome', async () => {
      const { topic, group } = await shop.topic(3);
      cutter = connectionCutter(shop.underTest().serverPorts);
      const published: BusMessage[] = [];
      const collected = await shop.collect({ topic, group });
      const bus = await shop.bus();
      const keys = keysNamed('deposit', 6);
      let cuts = 0;
      for (let round = 0; round < 30; round += 1) {
        const batch = [0, 1, 2].flatMap((n) => keys.map((key) => message(key, round * 3 + n)));
        const publishing = publishUntilTold(bus, topic, batch);
        await delay(round % 6);
        cuts += cutter.cut();
        await publishing;
        published.push(...batch);
      }
      await collected.until(allOf(published));

      expect(cuts).toBeGreaterThan(30);
      expect(firstArrivals(collected.seen)).toEqual(firstArrivals(published));
    });

    it('lose nothing of what several publish at the same time', async () => {
      const { topic, group } = await shop.topic(2);
      cutter = connectionCutter(shop.underTest().serverPorts);
      const [bus, keys] = [await shop.bus(), keysNamed('deposit', 8)];
      const rounds = Array.from({ length: 40 }, (_, n) => n);
      const all = keys.length * rounds.length;
      let told = 0;
      const publishers = keys.map(async (key) => {
        for (const n of rounds) {
          await publishUntilTold(bus, topic, [message(key, n)]);
          told += 1;
        }
      });
      for (let turn = 0; told < all; turn += 1) {
        const before = told;
        cutter.cut();
        await delay(10 + (turn % 7) * 10);
        // A busy machine gets nothing through in so short a time: then the lines hold until something is.
        await eventually(async () => told > before, true);
      }
      await Promise.all(publishers);
      const collected = await shop.collect({ topic, group });
      const expected = interleaved(keys, rounds.length);
      await collected.until(allOf(expected));

      expect(firstArrivals(collected.seen)).toEqual(firstArrivals(expected));
    });
  });
};
