import type { Message } from '../message.ts';

/** Takes messages to players. */
export type MessageCarrier = {
  /** Returns when the message is on its way, throws when it is not known to be: it will be sent again. */
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => void;
};
