import type { MessageCarrier } from './carrier.ts';

/** Sends nothing anywhere: operators read what was sent from the list of messages. */
export const simulatedCarrier = (): MessageCarrier => ({
  send: async () => undefined,
  close: () => undefined,
});
