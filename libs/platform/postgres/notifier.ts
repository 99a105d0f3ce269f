import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from './transaction.ts';

/** In a transaction of its own that does not wait for the disk: a lost notification costs its listeners a look. */
export const NOTIFY =
  "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload) FROM unnest($2::text[]) AS payload";

export type Notifier = {
  /** Of several payloads about the same that wait to be told, the last is. */
  readonly notify: (payload: string, about?: string) => void;
  /** Waits for what is on its way. */
  readonly close: () => Promise<void>;
};

/**
 * NOTIFY makes its transaction wait for a lock on the whole server when it commits, so no work carries it: what
 * happened is told after the fact, one statement at a time and at most one in `everyMs`. One that is lost, a poll makes
 * good.
 */
export const createNotifier = (db: Queryable, channel: string, everyMs = 0): Notifier => {
  const pending = new Map<string, string>();
  let telling: Promise<void> | undefined;

  const tell = async (): Promise<void> => {
    while (pending.size > 0) {
      const payloads = [...pending.values()];
      pending.clear();
      await db.query(NOTIFY, [channel, payloads]).catch(() => undefined);
      await delay(everyMs);
    }
    telling = undefined;
  };

  return {
    notify: (payload, about = payload) => {
      pending.set(about, payload);
      telling ??= tell();
    },
    close: async () => {
      await telling;
    },
  };
};
