import type { Log } from '../log/log.ts';
import type { GroupName, Refusal } from '../wire/refusals.ts';
import { createCheckpointer, lastCheckpoint, park } from './checkpoint.ts';
import { anyRoom, type Consumer, chooseConsumer, type Message } from './consumers.ts';
import type { GroupConfig } from './settings.ts';
import { createSource } from './source.ts';

export type NackAction = 'retry' | 'park' | 'skip' | 'stop';

export type Group = {
  readonly config: GroupConfig;
  readonly consumers: readonly Consumer[];
  isFull(): boolean;
  counts(): { readonly inFlight: number; readonly retries: number; readonly delivered: number; readonly next: number };
  join(consumer: Consumer): void;
  /** What the consumer did not settle goes to others, or waits for the next one. */
  leave(consumer: Consumer): void;
  ack(consumer: Consumer, ids: readonly string[]): void;
  nack(consumer: Consumer, ids: readonly string[], action: NackAction): void;
  drop(reason: Refusal): void;
};

/** Each event goes to one consumer and comes again until it is settled: acknowledged, skipped or parked. */
export const createGroup = (log: Log, config: GroupConfig): Group => {
  const { settings } = config;
  const name: GroupName = config;
  const source = createSource(log, config, lastCheckpoint(log, name));
  const consumers: Consumer[] = [];
  const waiting: Message[] = [];
  let delivered = 0;

  const unsettled = () => [...consumers.flatMap(({ inFlight }) => [...inFlight.values()]), ...waiting];
  const firstUnsettled = () =>
    unsettled().reduce((least, { event }) => Math.min(least, source.placeOf(event)), source.nextPlace());
  const checkpointer = createCheckpointer(log, name, settings, firstUnsettled);

  const take = (consumer: Consumer, id: string) => {
    const message = consumer.inFlight.get(id);
    if (!message) return undefined;
    clearTimeout(message.timeout);
    consumer.inFlight.delete(id);
    return message;
  };
  const give = (consumer: Consumer, message: Message) => {
    const { id } = message.event;
    const onTimeout = () => {
      if (take(consumer, id)) retry(message);
      dispatch();
    };
    const timeout = setTimeout(onTimeout, settings.messageTimeoutMs).unref();
    consumer.inFlight.set(id, { ...message, timeout });
    delivered++;
    consumer.send(message);
  };
  const dispatch = () => {
    while (anyRoom(consumers)) {
      const event = waiting.shift() ?? nextMessage();
      const consumer = event && chooseConsumer(settings.strategy, consumers, delivered, event.event);
      if (!consumer) return;
      give(consumer, event);
    }
  };
  const nextMessage = (): Message | undefined => {
    const event = source.next();
    return event && { event, retries: 0 };
  };
  const parkMessage = ({ event }: Message) => {
    park(log, name, event.revision, event.stream);
    checkpointer.settled();
  };
  const retry = ({ event, retries }: Message) => {
    if (retries >= settings.maxRetryCount) return parkMessage({ event, retries });
    waiting.push({ event, retries: retries + 1 });
    waiting.sort((a, b) => source.placeOf(a.event) - source.placeOf(b.event));
  };
  /** To stop settles nothing: the message comes again when its time is over. */
  const refused = (message: Message, action: Exclude<NackAction, 'stop'>) => {
    if (action === 'retry') return retry(message);
    return action === 'park' ? parkMessage(message) : checkpointer.settled();
  };
  const stopListening = log.onCommit((recorded) => {
    if (recorded.some(source.isInteresting)) dispatch();
  });

  return {
    config,
    consumers,
    isFull: () => settings.maxSubscriberCount > 0 && consumers.length >= settings.maxSubscriberCount,
    counts: () => ({
      inFlight: unsettled().length - waiting.length,
      retries: waiting.length,
      delivered,
      next: source.nextPlace(),
    }),
    join: (consumer) => {
      consumers.push(consumer);
      dispatch();
    },
    leave: (consumer) => {
      const index = consumers.indexOf(consumer);
      if (index < 0) return;
      consumers.splice(index, 1);
      for (const id of [...consumer.inFlight.keys()]) {
        const message = take(consumer, id);
        if (message) retry(message);
      }
      dispatch();
    },
    ack: (consumer, ids) => {
      for (const id of ids) if (take(consumer, id)) checkpointer.settled();
      dispatch();
    },
    nack: (consumer, ids, action) => {
      if (action === 'stop') return;
      for (const id of ids) {
        const message = take(consumer, id);
        if (message) refused(message, action);
      }
      dispatch();
    },
    drop: (reason) => {
      stopListening();
      checkpointer.stop();
      for (const consumer of consumers.splice(0)) {
        for (const id of [...consumer.inFlight.keys()]) take(consumer, id);
        consumer.drop(reason);
      }
    },
  };
};
