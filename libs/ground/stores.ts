import type { Bus, BusLog } from '#bus';
import { knownEvents } from '#deposit-commands';
import type { EventLog, EventLogOptions } from '#event-log';
import type { Configuration } from '#platform/configuration';
import type { Logger } from '#platform/logging';
import { DEPOSIT_EVENTS } from '#webhooks';
import { StartError } from './start-error.ts';

type Parts = { readonly databaseUrl: string; readonly logger: Logger };

// The clients of EventStoreDB and Kafka are big: they are imported only where a setting asks for them.

/** The client's own words repeat the whole connection string, with its password. */
const understood = (open: () => EventLog): EventLog => {
  try {
    return open();
  } catch {
    throw new StartError('EVENTSTORE_URL is not understood: use one like esdb://host:2113?tls=false');
  }
};

export const openEventLog = async (wanted: Configuration['eventStore'], parts: Parts): Promise<EventLog> => {
  const { databaseUrl, logger } = parts;
  const onTrouble: EventLogOptions['onTrouble'] = ({ what, attempt, error }) =>
    logger.warn({ what, attempt, reason: error.message }, 'the event log does not answer');
  const options = { onTrouble, known: knownEvents };
  if (wanted.kind === 'eventstoredb') {
    const { openEventStoreDbEventLog } = await import('#event-log/eventstoredb');
    return understood(() => openEventStoreDbEventLog({ url: wanted.url, ...options }));
  }
  const { openPostgresEventLog } = await import('#event-log/postgres');
  return openPostgresEventLog({ databaseUrl, ...options });
};

const busLog = (logger: Logger): BusLog => ({
  info: (message) => logger.debug(message),
  warn: (message) => logger.warn(message),
  error: (message) => logger.error(message),
});

export const openBus = async (
  wanted: Configuration['bus'],
  { databaseUrl, logger, name }: Parts & { readonly name: string },
): Promise<Bus> => {
  const log = busLog(logger);
  if (wanted.kind === 'kafka') {
    const { openKafkaBus } = await import('#bus/kafka');
    return openKafkaBus({ brokers: wanted.brokers, clientId: name, log });
  }
  const { openPostgresBus } = await import('#bus/postgres');
  return openPostgresBus({ databaseUrl, log });
};

/** Settles when the carrier answers; what it asks for is there already after the first time. */
export const askBus = (bus: Bus): Promise<void> => bus.ensureTopic(DEPOSIT_EVENTS);
