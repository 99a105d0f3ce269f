import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { commitUnhurriedIf, textArray } from '#platform/postgres';
import { chunksOf } from '../message.ts';
import type { BusMessage, PublishOptions } from '../port.ts';

/** Must never change: a key that moved to another partition could overtake itself. */
const partitionOfKey = (key: string, partitions: number): number =>
  hash('sha1', key, 'buffer').readUInt32BE(0) % partitions;

/** Per statement; a larger batch becomes several, in order. */
const MAX_STATEMENT_BYTES = 4_000_000;

const PUBLISH = `SELECT bus_publish($1, $2, $3, $4, $5), ${commitUnhurriedIf('$6')}`;

/** A chunk that failed ends the batch: sent after a gap, later messages would overtake those that come again. */
export const publishMessages = async (
  pool: Pool,
  topic: string,
  partitions: number,
  messages: readonly BusMessage[],
  { repeatable = false }: PublishOptions = {},
): Promise<void> => {
  for (const chunk of chunksOf(messages, MAX_STATEMENT_BYTES)) {
    await pool.query({
      name: 'bus_publish',
      text: PUBLISH,
      values: [
        topic,
        chunk.map(({ key }) => partitionOfKey(key, partitions)),
        textArray(chunk.map(({ id }) => id)),
        textArray(chunk.map(({ key }) => key)),
        textArray(chunk.map(({ value }) => value)),
        repeatable,
      ],
    });
  }
};
