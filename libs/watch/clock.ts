import type { Queryable } from '#platform/postgres';

export type Clock = {
  readonly look: () => Promise<void>;
  readonly now: () => Date;
};

/**
 * The database's, as it was when last asked. Whether a payment came in time is judged by when it was seen: no instance may
 * make it late by a clock of its own.
 */
export const createClock = (db: Queryable): Clock => {
  let [there, asked] = [Date.now(), performance.now()];
  return {
    look: async () => {
      const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      [there, asked] = [rows[0]?.now.getTime() ?? there, performance.now()];
    },
    now: () => new Date(there + performance.now() - asked),
  };
};
