import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export type OwnerOptions = {
  /** What there may be one owner of, in this database. */
  readonly name: string;
  /** Whose settings the owner's connection takes over. */
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
};

/** How often whoever stands by asks for its turn. */
const ASK_EVERY_MS = 200;

/** Lets the server notice within half a minute that the owner's machine is gone, and free what it owned. */
const SETTINGS = `
  SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false), set_config('idle_in_transaction_session_timeout', '30s', false)`;

const connect = async ({ name, pool }: OwnerOptions, over: AbortController): Promise<pg.Client> => {
  const { options } = pool;
  const client = new pg.Client({
    ...options,
    // The pool hides it from enumeration: spreading alone would lose it.
    ...(options.password !== undefined && { password: options.password }),
    application_name: name,
    keepAlive: true,
  });
  client.once('end', () => over.abort());
  client.on('error', () => over.abort());
  await client.connect();
  await client.query(SETTINGS);
  return client;
};

/** It asks again and again: a statement that waited for the lock would hold back vacuum for as long. */
const becomeOwner = async (client: pg.Client, name: string, over: AbortSignal): Promise<boolean> => {
  while (!over.aborted) {
    const { rows } = await client.query<{ owner: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS owner',
      [name],
    );
    if (rows[0]?.owner) return true;
    await delay(ASK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
  return false;
};

/**
 * Waits until nobody else owns `name`, then works. `over` aborts when it is told to stop and when the connection that
 * holds the lock is gone. What the owner writes has to go through `client`: a replaced owner has nothing left to write
 * with.
 */
export const whileOwner = async (
  options: OwnerOptions,
  work: (client: pg.Client, over: AbortSignal) => Promise<void>,
): Promise<void> => {
  const lost = new AbortController();
  const over = AbortSignal.any([options.signal, lost.signal]);
  let client: pg.Client | undefined;
  try {
    client = await connect(options, lost);
    if (await becomeOwner(client, options.name, over)) await work(client, over);
  } finally {
    await client?.end().catch(() => undefined);
  }
};
