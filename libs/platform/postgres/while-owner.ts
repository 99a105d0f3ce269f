import type pg from 'pg';
import { pause } from '../pause/index.ts';
import { openConnection, type Settings } from './connection.ts';

export type OwnerOptions = {
  /** What there may be one owner of, in this database. */
  readonly name: string;
  /** Whose settings the owner's connection takes over. */
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
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

/** It asks again and again: a statement that waited for the lock would hold back vacuum for as long. */
const becomeOwner = async (client: pg.Client, name: string, over: AbortSignal): Promise<boolean> => {
  while (!over.aborted) {
    const { rows } = await client.query<{ owner: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS owner',
      [name],
    );
    if (rows[0]?.owner) return true;
    await pause(ASK_EVERY_MS, over);
  }
  return false;
};

/**
 * Waits until nobody else owns `name`, then works; undefined when it was told to stop first. `over` aborts when it is
 * told to stop and when the connection that holds the lock is gone, which is thrown. What the owner writes has to go
 * through `client`: when it is gone, so is its transaction, and only then the lock, so a replaced owner has nothing
 * left to write with.
 */
export const whileOwner = async <T>(
  { name, pool, signal, settings, pipeline, onStandby }: OwnerOptions,
  work: (client: pg.Client, over: AbortSignal) => Promise<T>,
): Promise<T | undefined> => {
  const { client, lost, close } = await openConnection(pool, name, { settings, pipeline });
  try {
    onStandby?.();
    const over = AbortSignal.any([signal, lost]);
    const done = (await becomeOwner(client, name, over)) ? await work(client, over) : undefined;
    if (lost.aborted && !signal.aborted) throw new OwnershipLost(`the connection that owns ${name} is gone`);
    return done;
  } finally {
    await close();
  }
};
