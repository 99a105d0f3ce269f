import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { type Listener, listen } from '#platform/postgres';

/** Tells of changes to accounts made by any instance, through every loss of its connection. */
export const listenForChanges = (pool: pg.Pool, logger: Logger, onChange: () => void): Listener =>
  listen({
    pool,
    name: 'cointill accounts listener',
    channel: 'partners_changed',
    onListening: onChange,
    onNotice: onChange,
    onTrouble: (error) => logger.debug({ err: error }, 'cannot listen for changes of accounts now'),
  });
