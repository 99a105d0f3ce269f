/** From the log's events to the bus's messages. */
export { createHistories, type Histories } from './histories.ts';
export { DEPOSIT_EVENTS, messageOf, webhookIn } from './message.ts';
export { messagesOf } from './messages-of.ts';
export { readRelayPosition, writeRelayPosition } from './position.ts';
