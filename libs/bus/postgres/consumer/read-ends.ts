import type { Session } from './session.ts';

/** The next offset of every partition: who has read up to there waits. */
export const readEnds = async (session: Session, topic: string): Promise<Map<number, bigint>> => {
  const rows = await session.query<{ partition: number; next: string }>(
    'SELECT partition, next_offset::text AS next FROM bus_partitions WHERE topic = $1',
    [topic],
  );
  return new Map(rows.map(({ partition, next }) => [partition, BigInt(next)]));
};
