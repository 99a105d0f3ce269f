import { createHash } from 'node:crypto';
import type { WebhookEvent } from './events.ts';

/**
 * A UUID (version 8) that is a function of what is told: the same however often the log is read. It begins with the time
 * at which the log took the event, in milliseconds: neighbours in time are neighbours in every index, and a new delivery
 * writes to pages that are in memory, however many old ones there are.
 */
export const webhookIdOf = (eventId: string, event: WebhookEvent, recordedAt: Date): string => {
  const bytes = createHash('sha256').update(`webhook ${eventId} ${event}`).digest().subarray(0, 16);
  bytes.writeUIntBE(recordedAt.getTime(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
