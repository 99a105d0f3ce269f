import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Bus, ConsumeOptions } from '../port.ts';
import { type BusUnderTest, openBus } from './bus-under-test.ts';
import { type Collector, collect } from './collector.ts';
import { type ConsumerProcess, spawnConsumer } from './consumer-process.ts';

export type Workshop = {
  readonly underTest: () => BusUnderTest;
  readonly bus: () => Promise<Bus>;
  /** A new topic and a group name that no other test uses. */
  readonly topic: (partitions: number) => Promise<{ readonly topic: string; readonly group: string }>;
  readonly collect: (options: Omit<ConsumeOptions, 'onBatch'>, bus?: Bus) => Promise<Collector>;
  readonly process: (options: {
    topic: string;
    group: string;
    batchSize: number;
    hangAfter: number;
  }) => ConsumerProcess;
};

/** Opens what a test asks for, and closes it after the test. */
export const workshop = (setUp: () => Promise<BusUnderTest>, setUpMs: number): Workshop => {
  let current: BusUnderTest | undefined;
  const open: (() => Promise<void>)[] = [];
  const underTest = (): BusUnderTest => {
    if (!current) throw new Error('The bus under test is not set up');
    return current;
  };

  beforeAll(async () => {
    current = await setUp();
  }, setUpMs);
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  }, setUpMs);
  afterAll(() => current?.tearDown(), setUpMs);

  const bus = async (): Promise<Bus> => {
    const opened = await openBus(underTest().recipe);
    open.push(opened.close);
    return opened;
  };

  return {
    underTest,
    bus,
    topic: async (partitions) => {
      const name = randomBytes(6).toString('hex');
      await (await bus()).ensureTopic(`topic-${name}`, { partitions });
      return { topic: `topic-${name}`, group: `group-${name}` };
    },
    collect: async (options, on) => collect(on ?? (await bus()), options),
    process: (options) => {
      const child = spawnConsumer({ recipe: underTest().recipe, ...options });
      open.push(child.kill);
      return child;
    },
  };
};
