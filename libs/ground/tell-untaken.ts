import { Gauge } from 'prom-client';
import { type Bus, BusError, type GroupPlace } from '#bus';
import { SIGNALS_GROUP, SIGNALS_TOPIC } from '#engine';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import { whenAborted } from '#platform/pause';
import { type Repeated, repeat } from '#platform/repeat';
import { DEPOSIT_EVENTS, NOTIFIERS } from '#webhooks';

type Parts = {
  readonly bus: Pick<Bus, 'places'>;
  readonly health: Pick<Health, 'alarm' | 'calm'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly everyMs?: number;
  readonly standsAfterMs?: number;
};

const READERS = [
  { topic: DEPOSIT_EVENTS, group: NOTIFIERS },
  { topic: SIGNALS_TOPIC, group: SIGNALS_GROUP },
] as const;

/** Every instance looks: it costs a few statements, or a few questions to the brokers. */
const EVERY_MS = 10_000;

/** Longer than a partition waits for another owner, and than it takes to exchange an instance. */
const STANDS_AFTER_MS = 30_000;

/** A topic that nobody has made has nothing for anybody. */
const placesOf = async (bus: Parts['bus'], topic: string, group: string): Promise<readonly GroupPlace[]> => {
  try {
    return await bus.places(topic, group);
  } catch (error) {
    if (error instanceof BusError && error.code === 'unknown_topic') return [];
    throw error;
  }
};

/** Partitions that have something for their group: where it is in them, and since when. One may stand while others move. */
const createWatch = (standsAfterMs: number) => {
  const waiting = new Map<string, { readonly committed: string; readonly since: number }>();
  const stands = (topic: string, { partition, committed, lag }: GroupPlace): boolean => {
    const key = `${topic}/${partition}`;
    const known = waiting.get(key);
    if (lag > 0 && known?.committed === committed) return performance.now() - known.since >= standsAfterMs;
    if (lag > 0) waiting.set(key, { committed, since: performance.now() });
    else waiting.delete(key);
    return false;
  };
  /** Nobody could take anything while nobody could even look. */
  const forget = (topic: string): void => {
    for (const key of waiting.keys()) if (key.startsWith(`${topic}/`)) waiting.delete(key);
  };
  return { stands, forget };
};

/** Says with every answer about readiness what of the bus is not taken, by whomever, as of what follows the log. */
export const tellUntaken = (parts: Parts): Repeated => {
  const { bus, health, logger, metrics, everyMs = EVERY_MS, standsAfterMs = STANDS_AFTER_MS } = parts;
  const { stands, forget } = createWatch(standsAfterMs);
  const gauge = new Gauge({
    name: 'bus_lag_messages',
    help: 'Messages of the bus that those whom they are for have not taken yet',
    labelNames: ['topic'] as const,
    registers: [metrics.registry],
  });

  const judge = (topic: string, places: readonly GroupPlace[]): void => {
    const partitions = places.filter((place) => stands(topic, place)).map(({ partition }) => partition);
    const messages = places.reduce((sum, { lag }) => sum + lag, 0);
    gauge.set({ topic }, messages);
    const alarm = `nobody takes what waits on ${topic}`;
    if (partitions.length === 0) {
      if (health.calm(alarm)) logger.info({ topic }, 'what waits on the bus is taken again');
    } else if (health.alarm(alarm))
      logger.error(
        { alert: 'stands_still', what: topic, partitions, messages },
        'nobody takes what the bus has for it',
      );
  };

  const look = async (topic: string, group: string): Promise<void> => {
    try {
      judge(topic, await placesOf(bus, topic, group));
    } catch (error) {
      forget(topic);
      gauge.set({ topic }, Number.NaN);
      throw error;
    }
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error }, 'nobody can see now whether the bus is read'),
    work: async (stopping) => {
      const looking = Promise.all(READERS.map(({ topic, group }) => look(topic, group)));
      await Promise.race([looking, whenAborted(stopping)]);
      return false;
    },
  });
};
