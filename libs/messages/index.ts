/** SMS and e-mail to players. */
import { migrationsBeside } from '#platform/migrations';

export { type MessageCarrier, simulatedCarrier } from './carriers/carrier.ts';
export { smtpCarrier } from './carriers/smtp.ts';
export { parseSmtpUrl } from './carriers/smtp-url.ts';
export { enqueueMessage, enqueueMessages } from './enqueue.ts';
export { eraseMessages } from './erase.ts';

export type { Message, MessageKind } from './message.ts';
export {
  type Messages,
  openMessages,
  type SendingMessages,
  type SendingOptions,
  startSendingMessages,
} from './messages.ts';
export { pruneMessages } from './prune.ts';
export type { Carriers } from './sending/send-due.ts';

export const migrations = migrationsBeside(import.meta.url, 'messages');
