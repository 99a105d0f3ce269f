import type { Message } from '../message.ts';

/** Sends nothing anywhere: operators read what was sent from the list of messages. */
export const simulatedCarrier = (): MessageCarrier => ({
  send: async () => undefined,
  close: () => undefined,
});

/** Takes messages to players. */
export type MessageCarrier = {
  /** Returns when the message is on its way, throws when it is not known to be: it will be sent again. */
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => void;
};
