import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { createWaker, keepTrying, type Waker } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { BusLog } from '../../log.ts';
import type { BusConsumer, ConsumeOptions } from '../../port.ts';
import { beat, endEarlierSessions, leave, shareOf } from './members.ts';
import { openSession, type Session } from './session.ts';
import { createShares } from './shares.ts';

/** The next offset of every partition: who has read up to there waits. */
const readEnds = async (session: Session, topic: string): Promise<Map<number, bigint>> => {
  const rows = await session.query<{ partition: number; next: string }>(
    'SELECT partition, next_offset::text AS next FROM bus_partitions WHERE topic = $1',
    [topic],
  );
  return new Map(rows.map(({ partition, next }) => [partition, BigInt(next)]));
};

export type ConsumerSettings = {
  readonly pool: Pool;
  readonly pollMs: number;
  readonly heartbeatMs: number;
  readonly log: BusLog;
  /** Rings 'published' with the topic, for what is published in this process. */
  readonly bell: EventEmitter;
};

type Ears = {
  /** For the end of the session, and of all. */
  readonly waker: Waker;
  /** Something was published: whoever works looks at once, and asks nobody before. */
  look: () => void;
};

/** Returns after a graceful stop, throws when the session was lost; either way nothing is under way any more. */
const consumeThrough = async (
  session: Session,
  member: string,
  partitions: number,
  options: ConsumeOptions,
  { pollMs, heartbeatMs, log }: ConsumerSettings,
  stopping: AbortSignal,
  ears: Ears,
): Promise<void> => {
  const self = { member, group: options.group, topic: options.topic };
  const shares = createShares(session, options, log);
  ears.look = shares.look;
  session.ended.addEventListener('abort', ears.waker.wake);
  try {
    await endEarlierSessions(session, member);
    let nextBeat = 0;
    while (!stopping.aborted) {
      if (performance.now() >= nextBeat) {
        await shares.aim(shareOf(member, await beat(session, self, heartbeatMs), partitions));
        nextBeat = performance.now() + heartbeatMs;
      }
      shares.wake(await readEnds(session, options.topic));
      await ears.waker.wait(Math.max(0, Math.min(pollMs, nextBeat - performance.now())));
    }
  } finally {
    await shares.stop();
  }
  await leave(session, self);
};

/** Consumes until it is stopped, with a new session after every lost connection. */
export const startConsumer = (settings: ConsumerSettings, partitions: number, options: ConsumeOptions): BusConsumer => {
  const { pool, log, bell } = settings;
  const member = randomUUID();
  const stopping = new AbortController();
  const ears: Ears = { waker: createWaker(), look: () => undefined };

  const onPublished = (topic: string): void => {
    if (topic === options.topic) ears.look();
  };
  bell.on('published', onPublished);

  const live = async (onProgress: () => void): Promise<void> => {
    const session = await openSession(pool, member, onPublished);
    onProgress();
    try {
      await consumeThrough(session, member, partitions, options, settings, stopping.signal, ears);
    } finally {
      await session.end();
    }
  };

  const onTrouble = (error: unknown): void =>
    log.warn(`Group "${options.group}" on ${options.topic} lost Postgres and reconnects: ${reasonOf(error)}`);
  const done = keepTrying({ signal: stopping.signal, onTrouble }, live);
  return {
    stop: async () => {
      stopping.abort();
      ears.waker.wake();
      await done;
      bell.off('published', onPublished);
    },
  };
};
