import { Must, OneOf, OrEmpty, type Rule, SetWhere } from './must.ts';
import { Secret } from './secret.ts';
import { isBrokerList, isCount, isEventStoreUrl, isPem, isUrlOf } from './shapes.ts';

const onlyWithTls: Rule = {
  must: 'be left out unless KAFKA_TLS is true',
  holds: (text, { KAFKA_TLS }) => text === '' || KAFKA_TLS === 'true',
};

/** Of Postgres, EventStoreDB and Kafka. */
export class StoresEnvironment {
  @Secret
  @Must({
    must: 'be empty (an embedded Postgres) or a URL like postgres://user:password@host:5432/database',
    holds: (text) => text === '' || isUrlOf(text, ['postgres:', 'postgresql:']),
  })
  DATABASE_URL = '';

  @Secret
  @Must({
    must: 'be empty or a URL like postgres://owner:password@host:5432/database',
    holds: (text) => text === '' || isUrlOf(text, ['postgres:', 'postgresql:']),
  })
  @Must({
    must: 'be left out unless DATABASE_URL is set',
    holds: (text, { DATABASE_URL }) => text === '' || DATABASE_URL !== '',
  })
  MIGRATION_DATABASE_URL = '';

  @Must({ must: 'be a whole number from 5 to 1000', holds: (text) => isCount(text, 1_000, 5) })
  DATABASE_CONNECTIONS = '20';

  @Must({ must: 'be a whole number from 2 to 1000', holds: (text) => isCount(text, 1_000, 2) })
  EVENT_LOG_CONNECTIONS = '10';

  @OneOf('postgres', 'eventstoredb')
  EVENT_STORE = 'postgres';

  @Secret
  @Must({
    must: 'be a URL like esdb://host:2113?tls=false',
    holds: (text) => text === '' || isEventStoreUrl(text),
  })
  @Must({
    must: 'be set when EVENT_STORE is eventstoredb, to a URL like esdb://host:2113?tls=false',
    holds: (text, { EVENT_STORE }) => EVENT_STORE !== 'eventstoredb' || text !== '',
  })
  EVENTSTORE_URL = '';

  @OneOf('postgres', 'kafka')
  BUS = 'postgres';

  @Must({
    must: 'be a list like host:9092,host:9093',
    holds: (text) => text === '' || isBrokerList(text),
  })
  @Must({
    must: 'be set when BUS is kafka, to a list like host:9092,host:9093',
    holds: (text, { BUS }) => BUS !== 'kafka' || text !== '',
  })
  KAFKA_BROKERS = '';

  @OneOf('true', 'false')
  KAFKA_TLS = 'false';

  @Secret
  @OrEmpty({ must: 'certificates as PEM', holds: (text) => isPem(text, 'CERTIFICATE') })
  @Must(onlyWithTls)
  KAFKA_CA = '';

  @Secret
  @OrEmpty({ must: 'a certificate as PEM', holds: (text) => isPem(text, 'CERTIFICATE') })
  @Must(onlyWithTls)
  @SetWhere('KAFKA_KEY')
  KAFKA_CERT = '';

  @Secret
  @OrEmpty({ must: 'a private key as PEM', holds: (text) => isPem(text, 'PRIVATE KEY') })
  @Must(onlyWithTls)
  @SetWhere('KAFKA_CERT')
  KAFKA_KEY = '';

  @OrEmpty({
    must: 'one of plain, scram-sha-256, scram-sha-512',
    holds: (text) => ['plain', 'scram-sha-256', 'scram-sha-512'].includes(text),
  })
  @SetWhere('KAFKA_USERNAME')
  KAFKA_SASL = '';

  @SetWhere('KAFKA_SASL')
  KAFKA_USERNAME = '';

  @Secret
  @SetWhere('KAFKA_SASL')
  KAFKA_PASSWORD = '';

  @OrEmpty({ must: 'a whole number from 1 to 1000', holds: (text) => isCount(text, 1_000) })
  KAFKA_PARTITIONS = '';

  @OrEmpty({ must: 'a whole number from 1 to 9', holds: (text) => isCount(text, 9) })
  KAFKA_REPLICATION = '';

  @OrEmpty({
    must: 'at most 100 letters, digits, dots, dashes and underscores, the first no dot',
    holds: (text) => /^[\w-][\w.-]{0,99}$/.test(text),
  })
  KAFKA_PREFIX = '';
}
