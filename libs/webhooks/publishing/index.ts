/** From the log's events to the bus's messages. */
export { createHistories } from './histories.ts';
export { DEPOSIT_EVENTS, webhookIn } from './message.ts';
export { messagesOf } from './messages-of.ts';
export { readRelayPosition, writeRelayPosition } from './position.ts';
