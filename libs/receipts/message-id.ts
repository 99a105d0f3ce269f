import { createHash } from 'node:crypto';
import type { MessageKind } from '#messages';

/** The same event and kind give the same UUID (version 8), so that a receipt enqueued again is the same message. */
export const messageIdOf = (eventId: string, kind: MessageKind): string => {
  const hash = createHash('sha256').update(`receipt ${kind} ${eventId}`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};
