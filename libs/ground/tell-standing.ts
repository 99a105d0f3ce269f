import type pg from 'pg';
import { AnotherLog, type EventFilter, type EventLog, type Position, parsePosition, secondsBehind } from '#event-log';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { type Projection, readPositions } from '#read-models';
import { readRelay, relayed } from '#webhooks';

type Parts = {
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  readonly pool: pg.Pool;
  readonly health: Pick<Health, 'alarm' | 'calm'>;
  readonly logger: Logger;
  readonly projections: readonly { readonly projection: Pick<Projection, 'name' | 'filter'> }[];
  readonly everyMs?: number;
  readonly standsAfterMs?: number;
};

/** What follows the log somewhere, here or on another instance. */
type Follower = {
  readonly what: string;
  readonly position: Position | undefined;
  readonly filter?: EventFilter | undefined;
  /** Why it takes nothing more until somebody acts. */
  readonly stopped?: string | undefined;
};

/** Every instance looks: it costs a few statements. */
const EVERY_MS = 10_000;

/** Longer than a frozen owner is waited for, and than it takes to exchange an instance. */
const STANDS_AFTER_MS = 30_000;

/** Whoever stands within a record of a log that was put back does not follow it. */
const hasMore = async (...asked: Parameters<typeof secondsBehind>): Promise<boolean> => {
  try {
    return (await secondsBehind(...asked)) !== undefined;
  } catch (error) {
    if (error instanceof AnotherLog) return true;
    throw error;
  }
};

const followers = async ({ pool, projections }: Parts): Promise<readonly Follower[]> => {
  const shown = new Map((await readPositions(pool)).map(({ name, position }) => [name, position]));
  const relay = await readRelay(pool);
  return [
    ...projections.map(({ projection: { name, filter } }) => {
      const position = shown.get(name);
      return { what: `projection ${name}`, position: position ? parsePosition(position) : undefined, filter };
    }),
    { what: 'the relay of webhooks', position: relay.stands, filter: relayed, stopped: relay.stopped },
  ];
};

/**
 * An instance cannot mend what another one owns, and its creates, decisions and reads by id go on: it stays ready, or a
 * balancer would have none left, and says with every answer about readiness what stands.
 */
export const tellStanding = (parts: Parts): Repeated => {
  const { log, health, logger, everyMs = EVERY_MS, standsAfterMs = STANDS_AFTER_MS } = parts;
  /** Those that have something before them: where they stand, and since when. */
  const behind = new Map<string, { readonly position: Position | undefined; readonly since: number }>();

  const told = new Map<string, string>();

  const tellStopped = ({ what, stopped }: Follower): void => {
    const before = told.get(what);
    if (before === stopped) return;
    if (before !== undefined) health.calm(before);
    if (stopped === undefined) told.delete(what);
    else {
      told.set(what, stopped);
      health.alarm(stopped);
    }
  };

  const isBehind = async ({ position, filter }: Follower, head: Position | undefined): Promise<boolean> =>
    head !== undefined && (position === undefined || position < head) && (await hasMore(log, { position, filter }));

  const judge = (follower: Follower, isLate: boolean): void => {
    const { what, position } = follower;
    const alarm = `${what} stands still behind the log`;
    const known = behind.get(what);
    if (!isLate || !known || known.position !== position) {
      if (health.calm(alarm)) logger.info({ what }, 'follows the log again');
      if (isLate) behind.set(what, { position, since: performance.now() });
      else behind.delete(what);
    } else if (performance.now() - known.since >= standsAfterMs && health.alarm(alarm))
      logger.error({ alert: 'stands_still', what, position }, 'nobody takes what the log has for it');
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error }, 'nobody can see now whether the log is followed'),
    work: async () => {
      const head = await log.head();
      for (const follower of await followers(parts)) {
        tellStopped(follower);
        judge(follower, follower.stopped === undefined && (await isBehind(follower, head)));
      }
      return false;
    },
  });
};
