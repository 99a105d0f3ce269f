import type pg from 'pg';
import { BrokenHistory, LogUnavailable } from '../errors.ts';
import { orConnectionLost } from './connection-loss.ts';
import { NEXT_XID } from './rows.ts';

/**
 * What this cluster wrote itself names the transaction that its row is of, and a dump that is put back is of one
 * transaction, or of none that fits: of the last two below the counter both are its own. Then somebody chose a place for
 * what lies above, which is the damage of its stream and stops nobody else.
 */
const WRITTEN_HERE = `
  SELECT count(*) = 2 AND bool_and(own) AS here FROM (
    SELECT DISTINCT ON (xid) xmin::text = mod(xid::text::numeric, 4294967296)::text AS own FROM events
    WHERE xid < ${NEXT_XID} ORDER BY xid DESC, position DESC LIMIT 2
  ) AS last`;

const isWrittenHere = async (db: Pick<pg.ClientBase, 'query'>): Promise<boolean> => {
  const { rows } = await orConnectionLost(() => db.query<{ here: boolean }>(WRITTEN_HERE));
  return rows[0]?.here === true;
};

/**
 * Behind that transaction whatever its number in the epoch is: the counter of a fresh cluster goes on as it was, with no
 * page to be made and no row that would seem to lie ahead of it, as behind a leap of more than half an epoch.
 */
const epochBehind = (xid: string): bigint => (BigInt(xid) >> 32n) + 1n;

/**
 * The order over all streams begins with the transaction id. A cluster that was filled from a dump counts its
 * transactions anew: what it appends would sort before what is there, and every checkpoint would pass over it.
 */
export const refuseForeignCluster = async (db: Pick<pg.ClientBase, 'query'>): Promise<void> => {
  const look = () =>
    db.query<{ newest: string; next: string; behind: boolean }>(`
    SELECT newest.xid AS newest, pg_snapshot_xmax(pg_current_snapshot()) AS next,
           newest.xid >= pg_snapshot_xmax(pg_current_snapshot()) AS behind
    FROM (SELECT xid FROM events ORDER BY xid DESC, position DESC LIMIT 1) AS newest`);
  const { rows } = await orConnectionLost(look);
  const [row] = rows;
  if (row?.behind && !(await isWrittenHere(db)))
    throw new BrokenHistory(
      `the event log was written in another Postgres cluster: its newest transaction is ${row.newest}, this cluster ` +
        `only comes to ${row.next}. Restore it with pg_basebackup, or move this cluster's counter past it ` +
        `(pg_resetwal --epoch=${epochBehind(row.newest)}), before DATABASE_URL points here`,
    );
};

/**
 * A server that is exchanged under a running service breaks every connection first. Nothing is sent over one to such a
 * cluster, which may be put right while the service goes on.
 */
export const refuseForeignConnection = async (client: Pick<pg.ClientBase, 'query'>): Promise<void> => {
  try {
    await refuseForeignCluster(client);
  } catch (error) {
    if (error instanceof BrokenHistory) throw new LogUnavailable(error.message, { cause: error });
    throw error;
  }
};
