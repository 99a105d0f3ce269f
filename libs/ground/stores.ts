import { Counter } from 'prom-client';
import type { Bus, BusLog } from '#bus';
import type { KafkaBusOptions } from '#bus/kafka';
import { isStreamOfDeposits, knownEvents } from '#deposit-commands';
import { anyOf, type EventLog, type EventLogOptions, type ExchangeableLog } from '#event-log';
import { isStreamOfTransactions } from '#legacy-commands';
import type { Configuration, KafkaConfiguration } from '#platform/configuration';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import { DEPOSIT_EVENTS } from '#webhooks';
import { StartError } from './start-error.ts';

type Parts = { readonly databaseUrl: string; readonly logger: Logger };
type LogParts = Parts & { readonly metrics: Metrics; readonly connections: number } & Required<
    Pick<EventLogOptions, 'onBroken' | 'onWhole' | 'remembered'>
  >;

// The clients of EventStoreDB and Kafka are big: they are imported only where a setting asks for them.

/** The client's own words repeat the whole connection string, with its password. */
const understood = <Log extends EventLog>(open: () => Log): Log => {
  try {
    return open();
  } catch {
    throw new StartError('EVENTSTORE_URL is not understood: use one like esdb://host:2113?tls=false');
  }
};

const SAID_EVERY_MS = 30_000;

/** What repeats many times a second is said twice a minute, with how often it came meanwhile. */
const seldom = <T>(say: (one: T, times: number) => void): ((one: T) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return (one) => {
    times += 1;
    if (performance.now() - saidAt < SAID_EVERY_MS) return;
    say(one, times);
    [saidAt, times] = [performance.now(), 0];
  };
};

/** A server that others use too: what is theirs is counted, and told once. */
const foreignEvents = ({ logger, metrics }: LogParts): ((stream: string) => void) => {
  const passedOver = new Counter({
    name: 'event_log_foreign_events_total',
    help: "Events in somebody else's streams that were passed over",
    registers: [metrics.registry],
  });
  let told = false;
  return (stream) => {
    passedOver.inc();
    if (!told) logger.warn({ stream }, 'the event log holds events of somebody else: they are passed over');
    told = true;
  };
};

export const ownStreams = anyOf(isStreamOfDeposits, isStreamOfTransactions);

/** One in the installation's own database needs no word of whose it is. */
export type LabelledLog = (EventLog & { readonly label?: undefined }) | ExchangeableLog;

export const openEventLog = async (wanted: Configuration['eventStore'], parts: LogParts): Promise<LabelledLog> => {
  const { databaseUrl, connections, logger, onBroken, onWhole, remembered } = parts;
  const onTrouble: EventLogOptions['onTrouble'] = seldom(({ what, error }, times) =>
    logger.warn({ what, times, reason: error.message }, 'the event log does not answer'),
  );
  const options = { onTrouble, onBroken, onWhole, remembered, known: knownEvents };
  // Told with both stores: a scrape that lacks it would look like a release that does not count.
  const onForeign = foreignEvents(parts);
  if (wanted.kind === 'eventstoredb') {
    const { openEventStoreDbEventLog } = await import('#event-log/eventstoredb');
    return understood(() => openEventStoreDbEventLog({ url: wanted.url, ownStreams, onForeign, ...options }));
  }
  const { openPostgresEventLog } = await import('#event-log/postgres');
  return openPostgresEventLog({ databaseUrl, connections, ...options });
};

const busLog = (logger: Logger): BusLog => ({
  info: (message) => logger.debug(message),
  warn: (message) => logger.warn(message),
  error: (message, alert) => logger.error({ alert }, message),
});

const kafkaOptions = ({
  brokers,
  tls,
  login,
  partitions,
  replication,
  prefix,
}: KafkaConfiguration): KafkaBusOptions => ({
  brokers,
  partitions,
  replicationFactor: replication,
  prefix,
  ssl: tls && { ...tls },
  sasl:
    login && ({ mechanism: login.by, username: login.username, password: login.password } as KafkaBusOptions['sasl']),
});

/** What every group has taken lies there for a week, as long as somebody may look what was carried; the log has all of it. */
const BUS_RETENTION = { keepMs: 7 * 86_400_000, everyMs: 3_600_000 };

export const openBus = async (
  wanted: Configuration['bus'],
  { databaseUrl, logger, name }: Parts & { readonly name: string },
): Promise<Bus> => {
  const log = busLog(logger);
  if (wanted.kind === 'kafka') {
    const { openKafkaBus } = await import('#bus/kafka');
    return openKafkaBus({ ...kafkaOptions(wanted), clientId: name, log });
  }
  const { openPostgresBus } = await import('#bus/postgres');
  return openPostgresBus({ databaseUrl, log, retention: BUS_RETENTION });
};

/** Settles when the carrier answers; what it asks for is there already after the first time. */
export const askBus = (bus: Bus): Promise<void> => bus.ensureTopic(DEPOSIT_EVENTS);
