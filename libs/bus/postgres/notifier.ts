import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { CHANNEL } from './channel.ts';

export type Notifier = { readonly announce: (topic: string) => void; readonly close: () => Promise<void> };

const QUIET_MS = 10;

/**
 * NOTIFY makes its transaction wait for a lock on the whole server when it commits, so publishing does not do it: the
 * topics of all publishers of this process are announced together, after the fact. One that is lost, a poll makes good.
 */
export const createNotifier = (pool: Pool): Notifier => {
  const pending = new Set<string>();
  let announcing: Promise<void> | undefined;

  const announcePending = async (): Promise<void> => {
    while (pending.size > 0) {
      const topics = [...pending];
      pending.clear();
      await pool
        .query('SELECT pg_notify($1, topic) FROM unnest($2::text[]) AS topic', [CHANNEL, topics])
        .catch(() => undefined);
      await delay(QUIET_MS);
    }
    announcing = undefined;
  };

  return {
    announce: (topic) => {
      pending.add(topic);
      announcing ??= announcePending();
    },
    close: async () => {
      await announcing;
    },
  };
};
