import { OUR_OTHERS } from '#platform/postgres';
import { applicationNameOf, type Session } from './session.ts';

export type Membership = { readonly member: string; readonly group: string; readonly topic: string };

const BEAT = `
  INSERT INTO bus_members (member, group_name, topic) VALUES ($1, $2, $3)
  ON CONFLICT (member) DO UPDATE SET seen_at = now()`;

const PRESENT = `
  SELECT member FROM bus_members
  WHERE group_name = $1 AND topic = $2 AND seen_at > now() - make_interval(secs => $3) ORDER BY member`;

/** A frozen process still holds its locks: its connection is ended, so that it can neither keep nor commit anything. */
const END_FROZEN = `
  WITH frozen AS (
    DELETE FROM bus_members
    WHERE group_name = $1 AND topic = $2 AND seen_at <= now() - make_interval(secs => $3) RETURNING member
  )
  SELECT pg_terminate_backend(pid) FROM frozen JOIN pg_stat_activity
  ON ${OUR_OTHERS} AND application_name = '${applicationNameOf('')}' || frozen.member`;

const END_EARLIER = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OUR_OTHERS} AND application_name = $1`;

/** After a reconnect: a connection that only we know to be dead must not keep our claims from us. */
export const endEarlierSessions = async (session: Session, member: string): Promise<void> => {
  await session.query(END_EARLIER, [applicationNameOf(member)]);
};

/** Says that this member lives, and returns all that do, in an order that is the same for everyone. */
export const beat = async (session: Session, self: Membership, heartbeatMs: number): Promise<string[]> => {
  await session.query(BEAT, [self.member, self.group, self.topic]);
  await session.query(END_FROZEN, [self.group, self.topic, (heartbeatMs * 15) / 1000]);
  const rows = await session.query<{ member: string }>(PRESENT, [self.group, self.topic, (heartbeatMs * 3) / 1000]);
  return rows.map(({ member }) => member);
};

export const leave = async (session: Session, self: Membership): Promise<void> => {
  await session.query('DELETE FROM bus_members WHERE member = $1', [self.member]);
};

/** The partitions in turn to the members in turn: shares differ by one at most. */
export const shareOf = (self: string, members: readonly string[], partitions: number): Set<number> => {
  const mine = members.indexOf(self);
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  return new Set(all.filter((partition) => partition % members.length === mine));
};
