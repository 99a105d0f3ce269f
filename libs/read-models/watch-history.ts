import type pg from 'pg';
import { BrokenHistory, type EventLog } from '#event-log';
import { keepTrying, pause } from '#platform/pause';
import { whileOwner } from '#platform/postgres';
import type { ProjectionLogger } from './projection.ts';
import type { StreamRow, StreamRows } from './remembered.ts';

type Parts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly logger: ProjectionLogger;
  readonly kinds: readonly StreamRows[];
};

const AT_ONCE = 20;
const PAUSE_MS = 100;
const HOUR_MS = 3_600_000;

const newestFirst = ({ table }: StreamRows): string =>
  `SELECT id, revision, hash FROM ${table} WHERE id < $1 ORDER BY id DESC LIMIT ${AT_ONCE}`;

/** One event is enough to see that a stream is as its row says. Any doubt is for whoever reads the whole of it, and tells. */
const look = async (log: Parts['log'], stream: string, { revision, hash }: StreamRow): Promise<void> => {
  const [event] = await Array.fromAsync(log.read(stream, { from: Number(revision), limit: 1, asStored: true }));
  if (event && (hash === null || event.metadata.hash === hash)) return;
  for await (const _ of log.read(stream, { asStored: true }));
};

const unlessBroken = (error: unknown): void => {
  if (!(error instanceof BrokenHistory)) throw error;
};

/** Every row once, the newest first, at a pace that nobody notices. */
const lookThrough = async ({ pool, log, kinds }: Parts, over: AbortSignal): Promise<void> => {
  for (const kind of kinds) {
    let before = String(Number.MAX_SAFE_INTEGER);
    while (!over.aborted) {
      const { rows } = await pool.query<StreamRow>(newestFirst(kind), [before]);
      await Promise.all(rows.map((row) => look(log, `${kind.prefix}${row.id}`, row).catch(unlessBroken)));
      const last = rows.at(-1);
      if (!last) break;
      before = String(last.id);
      await pause(PAUSE_MS, over);
    }
  }
};

/**
 * Holds the rows against the ends of their streams, now and every hour, on one instance at a time: what was taken off a
 * stream while no process ran is told before anybody asks for it. Who is told is the business of the log.
 */
export const watchHistory = (parts: Parts): { readonly stop: () => Promise<void> } => {
  const { pool, logger } = parts;
  const stopping = new AbortController();
  const onTrouble = (error: unknown): void => logger.warn({ err: error }, 'history cannot be looked through now');
  const watching = keepTrying({ signal: stopping.signal, onTrouble, firstMs: 1_000, mostMs: 60_000 }, () =>
    whileOwner({ name: 'the watch over history', pool, signal: stopping.signal, logger }, async (_, over) => {
      while (!over.aborted) {
        await lookThrough(parts, over);
        await pause(HOUR_MS, over);
      }
    }),
  );
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
};
