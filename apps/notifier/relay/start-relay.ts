import type pg from 'pg';
import type { Bus } from '#bus';
import { AnotherLog, type EventLog } from '#event-log';
import type { Logger } from '#platform/logging';
import { keepTrying, pause, whenAborted } from '#platform/pause';
import { whileOwner } from '#platform/postgres';
import {
  createHistories,
  DEPOSIT_EVENTS,
  messagesOf,
  RELAY,
  readRelay,
  relayed,
  type Targets,
  type WebhookSeal,
} from '#webhooks';
import { type CasinoSettings, casinoToldBy } from './casino-told.ts';
import { placeInLog, stopLoudly } from './in-its-log.ts';
import { keepPositions } from './keep-positions.ts';
import { noteLeftOut } from './left-out.ts';
import type { RelayMetrics } from './metrics.ts';
import { carryToBus } from './on-its-bus.ts';
import { pastTheBus } from './past-the-bus.ts';
import { type Publishing, publishOrPass } from './publish.ts';

export type RelayParts = {
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'read' | 'readAll' | 'subscribe'>;
  readonly bus: Pick<Bus, 'ensureTopic' | 'publish' | 'identity'>;
  readonly pool: pg.Pool;
  readonly settings: CasinoSettings & Targets;
  readonly seal: Pick<WebhookSeal, 'of'>;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
  /** How often it looks whether its log is still the one that it is of. */
  readonly lookEveryMs?: number;
};

export type Relay = {
  /** Waits for the batch under way; another instance may go on when it returns. */
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 5_000;

/** Carries on behind what was published last, for as long as it is the owner. False: its log is not the one of that. */
const carry = async (
  parts: RelayParts,
  client: pg.Client,
  over: AbortSignal,
  onCarried: () => void,
): Promise<boolean> => {
  const { log, bus, settings, seal } = parts;
  // Of a log that is not its own nothing is carried, to whatever bus: that is noted once it goes on.
  if (!(await placeInLog(parts, client))) return false;
  await carryToBus(parts, client);
  const place = await readRelay(client);
  const { position: after, last, isBehindLast, carriedTo } = place;
  const positions = keepPositions(client, place);
  const telling = {
    log,
    histories: createHistories(log),
    casinoTold: casinoToldBy(settings),
    sealOf: seal.of,
  };
  const publishing: Publishing = {
    // Its place is written behind it, and lost with it.
    publish: (messages) => bus.publish(DEPOSIT_EVENTS, messages, { repeatable: true }),
    past: pastTheBus(parts),
  };
  const subscription = log.subscribe({
    ...(after !== undefined && { after }),
    ...(last && { last }),
    onlyBehindLast: isBehindLast || carriedTo !== undefined,
    ...(carriedTo !== undefined && { unsureUpTo: carriedTo }),
    filter: relayed,
    prove: relayed.streamPrefixes,
    everyMs: 0,
    onBatch: async ({ events, position }) => {
      const leftOut = noteLeftOut(parts);
      const messages = await messagesOf(events, { ...telling, onLeftOut: leftOut.note });
      await leftOut.tell(events, positions.last());
      await publishOrPass(publishing, messages);
      positions.keep(position, events.at(-1));
      onCarried();
    },
  });
  try {
    await Promise.race([subscription.done, positions.failed, whenAborted(over)]);
  } catch (error) {
    if (error instanceof AnotherLog) await stopLoudly(parts, client, await positions.written(), error.lack);
    throw error;
  } finally {
    await subscription.stop();
    await positions.written();
  }
  return true;
};

/** From the log to the bus: every due webhook at least once, in order per deposit, by one instance at a time. */
export const startRelay = (parts: RelayParts): Relay => {
  const { bus, logger, pool, lookEveryMs = LOOK_EVERY_MS } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;

  const own = (onProgress: () => void): Promise<boolean | undefined> =>
    whileOwner({ name: RELAY, pool, signal, logger }, (client, over) => {
      logger.debug('owns the relay of webhooks');
      return carry(parts, client, over, onProgress);
    });

  const live = async (onProgress: () => void): Promise<void> => {
    await bus.ensureTopic(DEPOSIT_EVENTS);
    // Between two looks another instance may own it, whose log may be the right one.
    while ((await own(onProgress)) === false) await pause(lookEveryMs, signal);
  };

  const onTrouble = (error: unknown, pauseMs: number): void =>
    logger.warn({ err: error, pause_ms: pauseMs }, 'the relay of webhooks tries again');
  const running = keepTrying({ firstMs: 100, mostMs: 5_000, signal, onTrouble }, live);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
