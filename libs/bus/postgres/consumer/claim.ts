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
