import type pg from 'pg';
import type { Bus } from '#bus';
import type { EventLog, Position } from '#event-log';
import type { Logger } from '#platform/logging';
import { keepTrying, pause, whenAborted } from '#platform/pause';
import { whileOwner } from '#platform/postgres';
import {
  createHistories,
  DEPOSIT_EVENTS,
  type MessagesOf,
  messagesOf,
  readRelayPosition,
  relayed,
  type Targets,
  type WebhookSeal,
  writeRelayPosition,
} from '#webhooks';
import { type CasinoSettings, casinoToldBy } from './casino-told.ts';
import type { RelayMetrics } from './metrics.ts';
import { pastTheBus } from './past-the-bus.ts';
import { type Publishing, publishOrPass } from './publish.ts';

export type RelayParts = {
  readonly log: Pick<EventLog, 'read' | 'subscribe'>;
  readonly bus: Pick<Bus, 'ensureTopic' | 'publish'>;
  readonly pool: pg.Pool;
  readonly settings: CasinoSettings & Targets;
  readonly seal: Pick<WebhookSeal, 'of'>;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
};

export type Relay = {
  /** Waits for the batch under way; another instance may go on when it returns. */
  readonly stop: () => Promise<void>;
};

const OWNER = 'webhook relay';

/** Behind a place that was written, so that few statements write many. */
const WRITE_EVERY_MS = 50;

/**
 * Nothing waits for a place to be written, and the newest goes for those before it: what is published again after a
 * kill has the same ids.
 */
const keepPositions = (client: pg.Client) => {
  const ending = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let waiting: Position | undefined;
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      await writeRelayPosition(client, next).catch(reject);
      await pause(WRITE_EVERY_MS, ending.signal);
    }
    writing = undefined;
  };
  return {
    failed,
    keep: (position: Position): void => {
      waiting = position;
      writing ??= write();
    },
    written: async (): Promise<void> => {
      ending.abort();
      await writing;
    },
  };
};

/** Its stream is alarmed by whoever reads it; this says who was not told. */
const leftOutBy =
  ({ logger, metrics }: RelayParts): MessagesOf['onLeftOut'] =>
  ({ stream, revision, type }) => {
    metrics?.leftOut();
    logger.error(
      { alert: 'webhook_left_out', stream, revision, type },
      'nobody is told of an event of a damaged stream',
    );
  };

/** Carries on behind what was published last, for as long as it is the owner. */
const carry = async (parts: RelayParts, client: pg.Client, over: AbortSignal, onCarried: () => void): Promise<void> => {
  const { log, bus, settings, seal } = parts;
  const after = await readRelayPosition(client);
  const positions = keepPositions(client);
  const telling: MessagesOf = {
    log,
    histories: createHistories(log),
    casinoTold: casinoToldBy(settings),
    sealOf: seal.of,
    onLeftOut: leftOutBy(parts),
  };
  const publishing: Publishing = {
    // Its place is written behind it, and lost with it.
    publish: (messages) => bus.publish(DEPOSIT_EVENTS, messages, { repeatable: true }),
    past: pastTheBus(parts),
  };
  const subscription = log.subscribe({
    ...(after !== undefined && { after }),
    filter: relayed,
    everyMs: 0,
    onBatch: async ({ events, position }) => {
      await publishOrPass(publishing, await messagesOf(events, telling));
      positions.keep(position);
      onCarried();
    },
  });
  try {
    await Promise.race([subscription.done, positions.failed, whenAborted(over)]);
  } finally {
    await subscription.stop();
    await positions.written();
  }
};

/** From the log to the bus: every due webhook at least once, in order per deposit, by one instance at a time. */
export const startRelay = (parts: RelayParts): Relay => {
  const { bus, logger, pool } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;

  const live = async (onProgress: () => void): Promise<void> => {
    await bus.ensureTopic(DEPOSIT_EVENTS);
    await whileOwner({ name: OWNER, pool, signal, logger }, (client, over) => {
      logger.debug('owns the relay of webhooks');
      return carry(parts, client, over, onProgress);
    });
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
