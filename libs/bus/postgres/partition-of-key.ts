import { hash } from 'node:crypto';

/** Must never change: a key that moved to another partition could overtake itself. */
export const partitionOfKey = (key: string, partitions: number): number =>
  hash('sha1', key, 'buffer').readUInt32BE(0) % partitions;
