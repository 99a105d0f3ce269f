import { hash } from 'node:crypto';

/**
 * A UUID (version 8) that is a function of what it names. With a time it begins with that, in milliseconds: neighbours
 * in time are neighbours in every index, and a new row is written to pages that are in memory, however many there are.
 */
export const uuidOf = (text: string, at?: Date): string => {
  const bytes = hash('sha256', text, 'buffer').subarray(0, 16);
  if (at) bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
