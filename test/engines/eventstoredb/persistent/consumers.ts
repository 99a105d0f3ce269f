import type { Recorded } from '../log/event.ts';
import type { Refusal } from '../wire/refusals.ts';

export type Message = { readonly event: Recorded; readonly retries: number };

/** One caller that joined a group. */
export type Consumer = {
  /** How many messages it takes before it has settled the first. */
  readonly capacity: number;
  readonly inFlight: Map<string, Message & { readonly timeout: NodeJS.Timeout }>;
  send(message: Message): void;
  drop(reason: Refusal): void;
};

const hasRoom = (consumer: Consumer) => consumer.inFlight.size < consumer.capacity;

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** Takes turns, keeps to the first, or to one per stream; whoever is full is passed over. */
export const chooseConsumer = (strategy: string, consumers: readonly Consumer[], turn: number, event: Recorded) => {
  const offsets: Readonly<Record<string, number>> = { DispatchToSingle: 0, Pinned: hash(event.stream) };
  const first = offsets[strategy] ?? turn;
  for (let i = 0; i < consumers.length; i++) {
    const consumer = consumers[(first + i) % consumers.length];
    if (consumer && hasRoom(consumer)) return consumer;
  }
  return undefined;
};

export const anyRoom = (consumers: readonly Consumer[]) => consumers.some(hasRoom);
