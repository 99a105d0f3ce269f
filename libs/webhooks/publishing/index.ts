/** From the log's events to the bus's messages. */
export { carryAgain, NotRemembered, RelayStopped } from './carry-again.ts';
export { DEPOSIT_EVENTS, NOTIFIERS, readMessage, webhookIn } from './message.ts';
export { createHistories, messagesOf } from './messages-of.ts';
export { goOnToBus } from './on-its-bus.ts';
export {
  bringRelayBack,
  forgetRelay,
  keepRelayMark,
  mayBeOfAnotherLog,
  moveRelay,
  RELAY,
  type RelayPlace,
  readRelay,
  readRelayPosition,
  stopRelay,
  unstopRelay,
} from './position.ts';
export { relayed } from './relayed.ts';
export { createWebhookSeal, type WebhookSeal } from './seal.ts';
export { takeUpRelay } from './take-up-relay.ts';
export { webhooksInLog } from './webhooks-in-log.ts';
