import pg from 'pg';
import { connectionOf } from '../connection.ts';
import { ASK_AGAIN_MS, AWAITED, MOVED, type Moved, NOTIFY, parseMoved } from './channels.ts';

/** One connection per process that hears what moves, made when somebody waits. Without it the poll serves. */
export type Listening = {
  /** Listens, and asks the owners of these projections to tell. */
  readonly ask: (keys: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const createListening = (pool: pg.Pool, onMoved: (moved: Moved) => void): Listening => {
  let client: pg.Client | undefined;
  let asking: Promise<void> | undefined;
  const askedAt = new Map<string, number>();

  const drop = async (dropped: pg.Client): Promise<void> => {
    if (client === dropped) client = undefined;
    askedAt.clear();
    await dropped.end().catch(() => undefined);
  };

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client(connectionOf(pool, 'projection listener'));
    fresh.on('error', () => drop(fresh));
    fresh.on('notification', ({ payload = '' }) => onMoved(parseMoved(payload)));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${MOVED}`);
      client = fresh;
    } catch {
      await drop(fresh);
    }
  };

  const askFor = async (key: string): Promise<void> => {
    const now = performance.now();
    if (now < (askedAt.get(key) ?? Number.NEGATIVE_INFINITY) + ASK_AGAIN_MS) return;
    askedAt.set(key, now);
    await client?.query(NOTIFY, [AWAITED, key]).catch(() => undefined);
  };

  const ask = async (keys: readonly string[]): Promise<void> => {
    if (!client) await connect();
    for (const key of keys) await askFor(key);
  };

  return {
    ask: async (keys) => {
      asking ??= ask(keys).finally(() => {
        asking = undefined;
      });
      await asking;
    },
    close: async () => {
      await asking;
      if (client) await drop(client);
    },
  };
};
