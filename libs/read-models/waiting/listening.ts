import type pg from 'pg';
import { type Listener, listen, NOTIFY } from '#platform/postgres';
import { ASK_AGAIN_MS, AWAITED, MOVED, type Moved, parseMoved } from './channels.ts';

/** One connection per process that hears what moves, made when somebody waits. Without it the poll serves. */
export type Listening = {
  /** Listens, and asks the owners of these projections to tell. */
  readonly ask: (keys: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

export const createListening = (pool: pg.Pool, onMoved: (moved: Moved) => void): Listening => {
  const askedAt = new Map<string, number>();
  let listener: Listener | undefined;
  let client: pg.Client | undefined;
  let wanted: readonly string[] = [];

  /** Over the connection that hears the answer, and never before it listens. */
  const askNow = (): void => {
    const now = performance.now();
    const due = wanted.filter((key) => now >= (askedAt.get(key) ?? Number.NEGATIVE_INFINITY) + ASK_AGAIN_MS);
    if (!client || due.length === 0) return;
    for (const key of due) askedAt.set(key, now);
    client.query(NOTIFY, [AWAITED, due]).catch(() => undefined);
  };

  const onListening = (fresh: pg.Client): void => {
    client = fresh;
    askedAt.clear();
    askNow();
  };

  return {
    ask: (keys) => {
      wanted = keys;
      listener ??= listen({
        pool,
        name: 'projection listener',
        channel: MOVED,
        onListening,
        onNotice: (payload) => onMoved(parseMoved(payload)),
      });
      askNow();
    },
    close: async () => {
      const closing = listener;
      [listener, client] = [undefined, undefined];
      await closing?.stop();
    },
  };
};
