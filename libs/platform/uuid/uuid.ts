import { createHash } from 'node:crypto';

/**
 * A UUID (version 8) that is a function of what it names. With a time it begins with that, in milliseconds: neighbours
 * in time are neighbours in every index, and a new row is written to pages that are in memory, however many there are.
 */
export const uuidOf = (text: string, at?: Date): string => {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  if (at) bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
