import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { type Checks, NOTHING_TOLD } from './checks.ts';
import { createClockTeller } from './tell-clock.ts';

export type BeatingParts = {
  readonly apps: readonly string[];
  readonly version: string;
  readonly db: Queryable;
  readonly logger: Logger;
  readonly checks?: Checks;
  /** With every beat, once it is seen. */
  readonly onBeat?: () => Promise<void>;
  readonly everyMs?: number;
  /** Whoever has not been seen for so long is forgotten by the others. */
  readonly forgetAfterMs?: number;
};

/** One that was forgotten, since its machine slept, is back with its next beat. */
const BEAT = `
  INSERT INTO instances (id, apps, version, host, pid, started_at, four_eyes, recheck_s, people)
  VALUES ($1, $2, $3, $4, $5, now() - $6::float8 * interval '1 second', $7, $8, $9)
  ON CONFLICT (id) DO UPDATE SET seen_at = now()
  RETURNING clock_timestamp() AS there`;

const SWEEP = `
  DELETE FROM instances WHERE id IN (
    SELECT id FROM instances WHERE seen_at < now() - $1::float8 * interval '1 millisecond' FOR UPDATE SKIP LOCKED)`;

/** Says that this process runs, until it is stopped; and forgets those that have stopped saying so. */
export const startBeating = (parts: BeatingParts): { readonly stop: () => Promise<void> } => {
  const { db, logger, apps, version, everyMs = 5_000, forgetAfterMs = 60_000, onBeat } = parts;
  const { fourEyes, recheckSeconds, people } = parts.checks ?? NOTHING_TOLD;
  const id = randomUUID();
  const tellClock = createClockTeller(logger);
  const beating = repeat({
    work: async () => {
      const asked = Date.now();
      const told = [fourEyes, recheckSeconds, people];
      const values = [id, [...apps], version, hostname(), process.pid, process.uptime(), ...told];
      const { rows } = await db.query<{ there: Date }>(BEAT, values);
      if (rows[0]) tellClock({ asked, there: rows[0].there.getTime(), answered: Date.now() });
      await db.query(SWEEP, [forgetAfterMs]);
      await onBeat?.();
      return false;
    },
    pollMs: everyMs,
    onError: (error) => logger.debug({ err: error }, 'cannot say now that this process runs'),
  });
  return {
    stop: async () => {
      await beating.stop();
      await db
        .query('DELETE FROM instances WHERE id = $1', [id])
        .catch((error) => logger.debug({ err: error }, 'this process is forgotten a minute after its end'));
    },
  };
};
