import pg from 'pg';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';

const RETRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

const listenOnce = async (url: string, onChange: () => void, signal: AbortSignal): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cointill accounts listener',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await client.connect();
    client.on('notification', onChange);
    await client.query('LISTEN partners_changed');
    onChange();
    await ended;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Tells of changes to accounts made by any instance, through every loss of its connection. */
export const listenForChanges = (url: string, logger: Logger, onChange: () => void): Repeated =>
  repeat({
    work: async (stopping) => {
      await listenOnce(url, onChange, stopping);
      return false;
    },
    pollMs: RETRY_MS,
    onError: (error) => logger.debug({ err: error }, 'cannot listen for changes of accounts now'),
  });
