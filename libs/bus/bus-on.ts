import { reasonOf } from '#platform/reason';
import { BusError } from './errors.ts';
import { checkMessages, checkName } from './message.ts';
import { type Bus, type BusConsumer, type ConsumeOptions, DEFAULT_PARTITIONS } from './port.ts';

/** What a carrier has to do; what all of them do alike is done once, here. */
export type Carrier = {
  /** As messages of errors call it. */
  readonly name: string;
  /** Of a topic that is made without a word of how many. */
  readonly partitions?: number | undefined;
  readonly ensureTopic: (topic: string, partitions: number) => Promise<void>;
  readonly publish: Bus['publish'];
  readonly consume: (options: ConsumeOptions) => Promise<BusConsumer>;
  readonly places: Bus['places'];
  readonly identity: Bus['identity'];
  /** No consumer is left when it is called. */
  readonly close: () => Promise<void>;
};

/** Checks names and messages, tells the port's own errors from the carrier's, and closes what was begun. */
export const busOn = (carrier: Carrier): Bus => {
  const consumers = new Set<BusConsumer>();
  let closed: Promise<void> | undefined;

  const refuseIfClosed = (doing: string): void => {
    if (closed !== undefined) throw new BusError('unavailable', `The bus could not ${doing}: it has been closed`);
  };

  const tell = async <T>(doing: string, call: () => Promise<T>): Promise<T> => {
    try {
      refuseIfClosed(doing);
      return await call();
    } catch (error) {
      if (error instanceof BusError) throw error;
      throw new BusError('unavailable', `The bus could not ${doing} on ${carrier.name}: ${reasonOf(error)}`, error);
    }
  };

  const consume = async (options: ConsumeOptions, doing: string): Promise<BusConsumer> => {
    const started = await carrier.consume(options);
    const consumer: BusConsumer = {
      stop: async () => {
        await started.stop();
        consumers.delete(consumer);
      },
    };
    if (closed !== undefined) await started.stop();
    refuseIfClosed(doing);
    consumers.add(consumer);
    return consumer;
  };

  const places: Bus['places'] = (topic, group) =>
    tell(`read the lag of "${topic}"`, () => carrier.places(topic, group));

  const close = async (): Promise<void> => {
    await Promise.all([...consumers].map(({ stop }) => stop()));
    await carrier.close();
  };

  return {
    ensureTopic: (topic, { partitions = carrier.partitions ?? DEFAULT_PARTITIONS } = {}) =>
      tell(`make topic "${topic}"`, async () => {
        checkName('topic', topic);
        await carrier.ensureTopic(topic, partitions);
      }),
    publish: (topic, messages, options) =>
      tell(`publish to "${topic}"`, async () => {
        checkMessages(messages);
        await carrier.publish(topic, messages, options);
      }),
    consume: (options) => {
      const doing = `consume "${options.topic}"`;
      return tell(doing, async () => {
        checkName('group', options.group);
        return consume(options, doing);
      });
    },
    lag: async (topic, group) => (await places(topic, group)).reduce((sum, { lag }) => sum + lag, 0),
    places,
    identity: () => tell('say which one it is', carrier.identity),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};
