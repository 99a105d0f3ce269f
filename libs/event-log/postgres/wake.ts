import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pauseBefore } from '../persistence.ts';

const CHANNEL = 'event_log';

/** At most one NOTIFY in this time: it takes a lock of the whole cluster at commit, so appends must not carry it. */
const NOTIFY_EVERY_MS = 20;

/** A server that does not answer a goodbye must not hold up whoever closes. */
const GOODBYE_MS = 1_000;

export type Wake = {
  /** Something was appended here: wakes the readers of this process at once, and the others' soon. */
  readonly ring: () => void;
  /** Resolves when something was appended anywhere, or after `ms`. A ring since `seen` counts, so none is missed. */
  readonly wait: (seen: number, ms: number, signal: AbortSignal) => Promise<void>;
  /** How often it has rung; take it before reading, give it to `wait` after. */
  readonly rings: () => number;
  readonly close: () => Promise<void>;
};

/** Tells other processes, coalesced. A lost notification costs a poll interval, no event. */
const createNotifier = (pool: pg.Pool) => {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const send = (): void => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) send();
    }, NOTIFY_EVERY_MS);
    timer.unref();
    pool.query(`SET LOCAL synchronous_commit = off; NOTIFY ${CHANNEL}`).catch(() => undefined);
  };
  return {
    notify: (): void => {
      if (timer) again = true;
      else send();
    },
    stop: (): void => clearTimeout(timer),
  };
};

/** Hears the other processes, on a connection of its own that it makes again whenever it is lost. */
const listen = async (connectionString: string, onRing: () => void, signal: AbortSignal): Promise<void> => {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const client = new pg.Client({
      connectionString,
      application_name: 'cointill event log listener',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    const over = new AbortController();
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve);
      client.on('error', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
    });
    client.on('notification', onRing);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      attempt = 0;
      onRing();
      await lost;
    } catch {
      // The poll interval serves meanwhile; the pause below is for the next try.
    }
    over.abort();
    await Promise.race([client.end(), delay(GOODBYE_MS, undefined, { ref: false })]).catch(() => undefined);
    if (!signal.aborted) await delay(pauseBefore(attempt), undefined, { signal }).catch(() => undefined);
  }
};

export const createWake = (pool: pg.Pool, connectionString: string): Wake => {
  const bell = new EventEmitter().setMaxListeners(0);
  const notifier = createNotifier(pool);
  const closing = new AbortController();
  let rings = 0;
  const ringHere = (): void => {
    rings++;
    bell.emit('ring');
  };
  let listening: Promise<void> | undefined;
  return {
    rings: () => rings,
    ring: () => {
      ringHere();
      notifier.notify();
    },
    wait: async (seen, ms, signal) => {
      listening ??= listen(connectionString, ringHere, closing.signal);
      if (rings !== seen || signal.aborted) return;
      const over = new AbortController();
      const until = AbortSignal.any([signal, over.signal]);
      const quietly = (): undefined => undefined;
      const ring = once(bell, 'ring', { signal: until }).catch(quietly);
      await Promise.race([ring, delay(ms, undefined, { signal: until }).catch(quietly)]);
      over.abort();
    },
    close: async () => {
      notifier.stop();
      closing.abort();
      await listening;
    },
  };
};
