import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { APPEND_ONE } from '#event-log/postgres';
import { type Contestant, data, drive, OLD_LENGTH, prepareOld, streamOf } from './contestant.ts';

const DATA = JSON.stringify(data);

/** As long as what the event log writes, hashes included. */
export const METADATA = JSON.stringify({
  schema_version: 1,
  occurred_at: '2026-11-21T10:00:00.000Z',
  actor: 'engine',
  correlation: randomUUID(),
  prev_hash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
});

/** The very same prepared INSERT into the very same table, and nothing around it: what pg and Postgres can do. */
export const barePg = async (connectionString: string, connections: number): Promise<Contestant> => {
  const pool = new pg.Pool({ connectionString, max: connections });
  const insert = (stream: string, revision: number) =>
    pool.query({
      name: 'bare-append',
      text: APPEND_ONE,
      values: [stream, revision, randomUUID(), 'PaymentSeen', DATA, METADATA],
    });
  return {
    name: 'bare pg',
    run: async (round) => {
      await prepareOld(round, async (writer) => {
        for (let n = 0; n < OLD_LENGTH; n++) await insert(streamOf('pg', round, writer, 0), n);
      });
      return drive(round, (writer, n) =>
        insert(streamOf('pg', round, writer, n), round.kind === 'new stream' ? 0 : OLD_LENGTH + n),
      );
    },
    close: () => pool.end(),
  };
};
