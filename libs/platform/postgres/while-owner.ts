import type pg from 'pg';
import { pause } from '../pause/index.ts';
import { openConnection } from './connection.ts';
import type { Settings } from './session-settings.ts';
import { createSilenceWatch, keepBeating } from './silence.ts';

export type OwnerOptions = {
  /** What there may be one owner of, in this database. */
  readonly name: string;
  /** Whose settings the owner's connection takes over. */
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
  /** Hears of an owner that was frozen and is one no more. */
  readonly logger?: { readonly warn: (fields: object, message: string) => void };
  /** More settings of that connection. */
  readonly settings?: Settings;
  /** That connection sends statements without waiting for the answers to those before. */
  readonly pipeline?: boolean;
  /** It is connected and waits for its turn. */
  readonly onStandby?: () => void;
};

/** Somebody else may own it by now: whoever sees this has nothing left to write with. */
export class OwnershipLost extends Error {
  override readonly name = 'OwnershipLost';
}

/** How often whoever stands by asks for its turn. */
const ASK_EVERY_MS = 200;

const tryToOwn = async (client: pg.Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ owner: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS owner',
    [name],
  );
  return rows[0]?.owner === true;
};

/**
 * It asks again and again: a statement that waited for the lock would hold back vacuum for as long. Behind an owner that
 * it had to end it asks at once, before that one is back.
 */
const becomeOwner = async (
  client: pg.Client,
  { name, logger }: Pick<OwnerOptions, 'name' | 'logger'>,
  over: AbortSignal,
): Promise<boolean> => {
  const endSilent = createSilenceWatch(client, name);
  while (!over.aborted) {
    if (await tryToOwn(client, name)) return true;
    if ((await endSilent()) === 0) await pause(ASK_EVERY_MS, over);
    else logger?.warn({ owner: name }, 'an owner said nothing for ten seconds: its connection is ended');
  }
  return false;
};

/**
 * Waits until nobody else owns `name`, or only somebody frozen, then works; undefined when it was told to stop first.
 * `over` aborts when it is told to stop and when the connection that holds the lock is gone, which is thrown. What the
 * owner writes has to go through `client`: when it is gone, so is its transaction, and only then the lock, so a replaced
 * owner has nothing left to write with.
 */
export const whileOwner = async <T>(
  options: OwnerOptions,
  work: (client: pg.Client, over: AbortSignal) => Promise<T>,
): Promise<T | undefined> => {
  const { name, pool, signal, settings, pipeline, onStandby } = options;
  const { client, lost, close } = await openConnection(pool, name, { settings, pipeline });
  const closing = new AbortController();
  try {
    onStandby?.();
    const over = AbortSignal.any([signal, lost]);
    const isOwner = await becomeOwner(client, options, over);
    if (isOwner) void keepBeating(client, AbortSignal.any([closing.signal, lost]));
    const done = isOwner ? await work(client, over) : undefined;
    if (lost.aborted && !signal.aborted) throw new OwnershipLost(`the connection that owns ${name} is gone`);
    return done;
  } finally {
    closing.abort();
    await close();
  }
};
