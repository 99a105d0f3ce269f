import type { Pool } from 'pg';
import type { Session } from './session.ts';

export type Place = { readonly group: string; readonly topic: string; readonly partition: number };

const lockName = ({ group, topic, partition }: Place): string => JSON.stringify(['bus', group, topic, partition]);

/** True when the partition is this session's, until it lets go or ends. */
export const claim = async (session: Session, place: Place): Promise<boolean> => {
  const [row] = await session.query<{ claimed: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS claimed',
    [lockName(place)],
  );
  return row?.claimed === true;
};

export const letGo = async (session: Session, place: Place): Promise<void> => {
  await session.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [lockName(place)]);
};

/** From here on the group is known: nothing is removed that it has not committed. */
export const register = async (pool: Pool, topic: string, group: string): Promise<void> => {
  await pool.query(
    `INSERT INTO bus_offsets (group_name, topic, partition)
     SELECT $2, topic, partition FROM bus_partitions WHERE topic = $1 ON CONFLICT DO NOTHING`,
    [topic, group],
  );
};

export const readCommitted = async (session: Session, { group, topic, partition }: Place): Promise<bigint> => {
  const [row] = await session.query<{ committed: string }>(
    'SELECT committed::text FROM bus_offsets WHERE topic = $1 AND group_name = $2 AND partition = $3',
    [topic, group, partition],
  );
  return BigInt(row?.committed ?? 0);
};

export type Committed = { readonly partition: number; readonly next: bigint };

export const commit = async (
  session: Session,
  { group, topic }: Pick<Place, 'group' | 'topic'>,
  committed: readonly Committed[],
): Promise<void> => {
  await session.query(
    `INSERT INTO bus_offsets AS o (group_name, topic, partition, committed)
     SELECT $1, $2, partition, next FROM unnest($3::int[], $4::bigint[]) AS committed (partition, next)
     ON CONFLICT (topic, group_name, partition) DO UPDATE SET committed = greatest(o.committed, excluded.committed)`,
    [group, topic, committed.map(({ partition }) => partition), committed.map(({ next }) => next.toString())],
  );
};
