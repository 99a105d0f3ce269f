import { bytesOf, chunksOf, MAX_MESSAGE_BYTES } from '../message.ts';
import type { BusMessage } from '../port.ts';
import type { FreshProducer, Send } from './producer.ts';

export type Publisher = {
  readonly publish: (topic: string, messages: readonly BusMessage[]) => Promise<void>;
  /** Waits for what was accepted. */
  readonly close: () => Promise<void>;
};

type Job = Send & { readonly bytes: number; readonly done: PromiseWithResolvers<void> };

/** All that goes to one partition in one send becomes one record batch, so a send is no larger than that may be. */
const takeRound = (queue: Job[]): Job[] => {
  let room = MAX_MESSAGE_BYTES;
  const count = queue.findIndex(({ bytes }) => {
    room -= bytes;
    return room < 0;
  });
  return queue.splice(0, count === -1 ? queue.length : Math.max(1, count));
};

/** One send after the other; whoever publishes meanwhile goes together with the next. */
export const createPublisher = (producer: FreshProducer): Publisher => {
  const queue: Job[] = [];
  let working: Promise<void> | undefined;

  /** A chunk that failed ends its batch: sent after a gap, later messages would overtake those that come again. */
  const sendRound = async (round: readonly Job[]): Promise<void> => {
    const [first] = round;
    if (round.length > 1 || !first) return producer.send(round);
    for (const messages of chunksOf(first.messages, MAX_MESSAGE_BYTES)) {
      await producer.send([{ topic: first.topic, messages }]);
    }
  };

  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      const round = takeRound(queue);
      try {
        await sendRound(round);
        for (const { done } of round) done.resolve();
      } catch (error) {
        for (const { done } of round) done.reject(error);
      }
    }
    working = undefined;
  };

  return {
    publish: (topic, messages) => {
      if (messages.length === 0) return Promise.resolve();
      const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
      const job: Job = { topic, messages, bytes, done: Promise.withResolvers() };
      queue.push(job);
      working ??= work();
      return job.done.promise;
    },
    close: async () => {
      await working;
      await producer.close();
    },
  };
};
