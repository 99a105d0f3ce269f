import type { Delivered } from '../port.ts';
import { openBus } from './bus-under-test.ts';
import type { ChildOrders, ChildReport } from './consumer-process.ts';

/** What a parsed command line of the suite says; only the suite writes it. */
const orders: ChildOrders = JSON.parse(process.argv[2] ?? '{}');

const report = (told: ChildReport): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send) reject(new Error('This process belongs to the contract suite of the bus: it has no use alone'));
    else process.send(told, (error: Error | null) => (error ? reject(error) : resolve()));
  });

let handled = 0;

const onBatch = async (messages: readonly Delivered[]): Promise<void> => {
  const hangs = handled >= orders.hangAfter && messages.length > 1;
  const done = hangs ? messages.slice(0, messages.length / 2) : messages;
  handled += done.length;
  await report({ handled: done.map(({ id }) => id), hangs });
  if (hangs) await new Promise(() => undefined);
};

const bus = await openBus(orders.recipe);
await bus.consume({ topic: orders.topic, group: orders.group, batchSize: orders.batchSize, onBatch });
