import type pg from 'pg';
import type { Position } from '#event-log';
import { keyOf, type ProjectionId } from '../projection.ts';
import { AWAITED, MOVED, movedText, NOTIFY, TELL_FOR_MS } from '../waiting/channels.ts';
import { hubOf } from '../waiting/hub.ts';

/** Tells those who wait how far an owner is: at once in this process, elsewhere only when somebody asked. */
export type Announcer = {
  readonly moved: (position: Position | undefined) => void;
  readonly disowned: () => void;
};

/** One notification at a time, so that they thin out by themselves while batches come fast. */
const createTelling = (pool: pg.Pool, key: string) => {
  let told: Position | undefined;
  let latest: Position | undefined;
  let telling = false;
  return async (position: Position, again: boolean): Promise<void> => {
    latest = position;
    if (again) told = undefined;
    if (telling) return;
    telling = true;
    while (latest !== told) {
      told = latest;
      // Not on the owner's connection: whoever is told must never slow down what is told about.
      await pool.query(NOTIFY, [MOVED, movedText({ key, position: latest })]).catch(() => undefined);
    }
    telling = false;
  };
};

export const createAnnouncer = async (pool: pg.Pool, client: pg.Client, id: ProjectionId): Promise<Announcer> => {
  const key = keyOf(id);
  const hub = hubOf(pool);
  const tell = createTelling(pool, key);
  let position: Position | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const isAsked = () => performance.now() < askedAt + TELL_FOR_MS;
  client.on('notification', ({ channel, payload }) => {
    if (channel !== AWAITED || payload !== key) return;
    askedAt = performance.now();
    // Whoever asks may have missed what was told to others before.
    if (position !== undefined) void tell(position, true);
  });
  await client.query(`LISTEN ${AWAITED}`);
  return {
    moved: (to) => {
      position = to;
      hub.movedHere(key, to);
      if (to !== undefined && isAsked()) void tell(to, false);
    },
    disowned: () => hub.disowned(key),
  };
};
