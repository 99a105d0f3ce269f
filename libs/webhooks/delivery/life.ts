import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { keepTrying, pause } from '#platform/pause';
import { whileOwner } from '#platform/postgres';
import { dropOwnLife, findDead, lockOf, takeOver, writeLife } from './lives.ts';

export type LifeParts = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** It may claim. `anew`: it was taken for dead meanwhile, and what it had claimed is another's. */
  readonly onBegun: (anew: boolean) => void;
  /** What somebody dead had claimed is due again. */
  readonly onTakenOver: () => void;
};

/** A scheduler's, as the others see it: it ends with the connection that holds its lock. */
export type Life = {
  readonly id: string;
  /** Others see that it lives. While they do not, nothing is sent: somebody else may be about to. */
  readonly isSeen: () => boolean;
  readonly stop: () => Promise<void>;
};

/** Twice of it: as long as a connection may take to be made again before its life is taken for over. */
const LOOK_EVERY_MS = 300;

/** Whose lock is free at two looks in a row is dead; what was only cut off has come back by then. */
const watchOthers = async (
  client: pg.Client,
  id: string,
  over: AbortSignal,
  onTakenOver: (lives: number, deliveries: number) => void,
): Promise<void> => {
  let suspects: readonly string[] = [];
  while (!over.aborted) {
    const silent = await findDead(client, id);
    const dead = silent.filter((life) => suspects.includes(life));
    if (dead.length > 0) onTakenOver(dead.length, await takeOver(client, dead));
    suspects = silent;
    await pause(LOOK_EVERY_MS, over);
  }
};

export const beginLife = ({ pool, logger, onBegun, onTakenOver }: LifeParts): Life => {
  const id = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  let [seen, begun] = [false, false];

  const tell = (lives: number, deliveries: number): void => {
    logger.warn({ lives, deliveries }, 'took over the webhooks of a notifier that died');
    onTakenOver();
  };

  const live = (onProgress: () => void): Promise<void> =>
    whileOwner({ name: lockOf(id), pool, signal, logger }, async (client, over) => {
      const isNew = await writeLife(client, id);
      onProgress();
      const end = (): void => {
        seen = false;
      };
      over.addEventListener('abort', end, { once: true });
      seen = !over.aborted;
      onBegun(begun && isNew);
      begun = true;
      await watchOthers(client, id, over, tell).finally(end);
      if (signal.aborted) await dropOwnLife(client, id);
    });

  const onTrouble = (error: unknown): void =>
    logger.warn({ err: error }, 'others cannot see now that this notifier lives: it sends nothing');
  const living = keepTrying({ firstMs: 50, mostMs: 500, signal, onTrouble }, live);
  return {
    id,
    isSeen: () => seen,
    stop: async () => {
      stopping.abort();
      await living;
    },
  };
};
