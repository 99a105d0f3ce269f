import { STREAM_DOES_NOT_EXIST } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { type Contestant, data, drive, OLD_LENGTH, prepareOld, streamOf } from './contestant.ts';

const event = () => ({ type: 'PaymentSeen' as const, data });

/** The event store in TypeScript that ours is held against, in a database of its own on the same Postgres. */
export const emmett = async (connectionString: string, connections: number): Promise<Contestant> => {
  const pool = new pg.Pool({ connectionString, max: connections });
  const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } });
  await store.schema.migrate();
  return {
    name: 'emmett',
    run: async (round) => {
      await prepareOld(round, (writer) =>
        store.appendToStream(streamOf('emmett', round, writer, 0), Array.from({ length: OLD_LENGTH }, event), {
          expectedStreamVersion: STREAM_DOES_NOT_EXIST,
        }),
      );
      return drive(round, (writer, n) =>
        store.appendToStream(streamOf('emmett', round, writer, n), [event()], {
          expectedStreamVersion: round.kind === 'new stream' ? STREAM_DOES_NOT_EXIST : BigInt(OLD_LENGTH + n),
        }),
      );
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
};
