import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { kafkaForTests, missingKafkaTool } from '../../../test/engines/kafka/index.ts';
import { describeWhere } from '../../../test/support/jest-left-out.ts';
import { allOf, eventually, keysNamed, message, openCollector } from '../contract/index.ts';
import type { Bus } from '../index.ts';
import { openKafkaBus } from './index.ts';

const missing = await missingKafkaTool();
const topic = 'deposit-events';
const group = 'notifier';
const round = (nth: number) => keysNamed('deposit', 20).map((key) => message(key, nth));

describeWhere(missing === undefined, missing ?? '')('two installations on the same brokers', () => {
  let kafka: Awaited<ReturnType<typeof kafkaForTests>>;
  const opened: Bus[] = [];
  beforeAll(async () => {
    kafka = await kafkaForTests();
  }, 90_000);
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await kafka?.stop();
  }, 90_000);

  const open = async (prefix: string): Promise<Bus> => {
    const bus = openKafkaBus({ brokers: kafka.brokers.split(','), sessionTimeoutMs: 6_000, prefix });
    opened.push(bus);
    await bus.ensureTopic(topic, { partitions: 3 });
    return bus;
  };

  it('take what is their own and nothing else, where each has its prefix', async () => {
    const [one, other] = [await open('apart-one.'), await open('apart-other.')];
    expect(await one.identity()).not.toBe(await other.identity());
    await one.publish(topic, round(0));
    expect(await other.lag(topic, group)).toBe(0);
    const ofOther = await openCollector(other, { topic, group });
    const ofOne = await openCollector(one, { topic, group });
    await ofOne.until(allOf(round(0)));
    await other.publish(topic, round(1));
    await ofOther.until(allOf(round(1)));
    await eventually(() => one.lag(topic, group), 0);

    expect(ofOne.seen).toHaveLength(20);
    expect(ofOther.seen).toHaveLength(20);
    expect(new Set([...ofOne.seen, ...ofOther.seen].map((each) => each.topic))).toEqual(new Set([topic]));
  });
});
