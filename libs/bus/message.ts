import { BusError } from './errors.ts';
import type { BusMessage } from './port.ts';

/** Id, key and value together, in UTF-8: what fits into one record batch of a Kafka broker with its default settings. */
export const MAX_MESSAGE_BYTES = 1_000_000;

/** Kafka's rule for topics, asked of groups and of every carrier alike, so that a name works on all of them. */
const NAME = /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$/;

export const checkName = (kind: 'topic' | 'group', name: string): void => {
  if (!NAME.test(name)) {
    throw new BusError(
      'refused',
      `"${name}" cannot name a ${kind}: 1 to 249 of letters, digits, dot, dash, underscore`,
    );
  }
};

export const bytesOf = (message: BusMessage): number =>
  Buffer.byteLength(message.id) + Buffer.byteLength(message.key) + Buffer.byteLength(message.value);

/** Text that every carrier can hold: no lone surrogates (they have no UTF-8), no U+0000 (Postgres has no place for it). */
const isPortable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

export const checkMessages = (messages: readonly BusMessage[]): void => {
  for (const message of messages) {
    if (![message.id, message.key, message.value].every(isPortable)) {
      throw new BusError('refused', `Message "${message.id}" has U+0000 or a lone surrogate in its id, key or value`);
    }
    const bytes = bytesOf(message);
    if (bytes > MAX_MESSAGE_BYTES) {
      throw new BusError('refused', `Message "${message.id}" has ${bytes} bytes; the bus takes ${MAX_MESSAGE_BYTES}`);
    }
  }
};

/** Runs of messages, in order, each of at most `limit` bytes (or of one message). */
export const chunksOf = (messages: readonly BusMessage[], limit: number): BusMessage[][] => {
  const chunks: BusMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = bytesOf(message);
    const last = chunks.at(-1);
    if (last && bytes <= room) {
      last.push(message);
      room -= bytes;
    } else {
      chunks.push([message]);
      room = limit - bytes;
    }
  }
  return chunks;
};
