import type pg from 'pg';
import type { Position } from '#event-log';
import { createNotifier } from '#platform/postgres';
import { keyOf, type ProjectionId } from '../projection.ts';
import { AWAITED, MOVED, movedText, TELL_FOR_MS } from '../waiting/channels.ts';
import { hubOf } from '../waiting/hub.ts';

/** Tells those who wait how far an owner is: at once in this process, elsewhere only when somebody asked. */
export type Announcer = {
  readonly moved: (position: Position | undefined) => void;
  readonly disowned: () => void;
};

export const createAnnouncer = async (pool: pg.Pool, client: pg.Client, id: ProjectionId): Promise<Announcer> => {
  const key = keyOf(id);
  const hub = hubOf(pool);
  // Not on the owner's connection: whoever is told must never slow down what is told about.
  const { notify } = createNotifier(pool, MOVED);
  const tell = (to: Position): void => notify(movedText({ key, position: to }), key);
  let position: Position | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const isAsked = () => performance.now() < askedAt + TELL_FOR_MS;
  client.on('notification', ({ channel, payload }) => {
    if (channel !== AWAITED || payload !== key) return;
    askedAt = performance.now();
    // Whoever asks may have missed what was told to others before.
    if (position !== undefined) tell(position);
  });
  await client.query(`LISTEN ${AWAITED}`);
  return {
    moved: (to) => {
      position = to;
      hub.movedHere(key, to);
      if (to !== undefined && isAsked()) tell(to);
    },
    disowned: () => hub.disowned(key),
  };
};
