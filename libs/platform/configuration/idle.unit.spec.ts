import { describe, expect, it } from '@jest/globals';
import { idleSettings, readConfiguration, type Variables } from './index.ts';

const idle = (variables: Variables) => idleSettings(readConfiguration(variables));

const URL = 'esdb://log:2113?tls=false';
const STORE = 'not heeded without EVENT_STORE=eventstoredb: EVENTSTORE_URL';

describe('settings that change nothing', () => {
  it.each([
    [{ EVENTSTORE_URL: URL }, [STORE]],
    [{ EVENTSTORE_URL: URL, EVENT_STORE: 'postgres' }, [STORE]],
    [{ KAFKA_BROKERS: 'host:9092' }, ['not heeded without BUS=kafka: KAFKA_BROKERS']],
    [
      { KAFKA_TLS: 'true', KAFKA_SASL: 'plain', KAFKA_USERNAME: 'pay', KAFKA_PASSWORD: 'hunter2', KAFKA_PREFIX: 'a.' },
      ['not heeded without BUS=kafka: KAFKA_TLS, KAFKA_SASL, KAFKA_USERNAME, KAFKA_PASSWORD, KAFKA_PREFIX'],
    ],
    [
      { EVENTSTORE_URL: URL, EVENT_STORE: 'eventstoredb', KAFKA_BROKERS: 'host:9092' },
      ['not heeded without BUS=kafka: KAFKA_BROKERS'],
    ],
    [{ EVENTSTORE_URL: URL, BUS: 'kafka', KAFKA_BROKERS: 'host:9092', KAFKA_PARTITIONS: '4' }, [STORE]],
  ] as const)('are told by their names, and not what they hold: %j', (variables, lines) => {
    expect(idle(variables)).toEqual(lines);
  });

  it.each([
    {},
    { EVENTSTORE_URL: '', KAFKA_BROKERS: ' ', KAFKA_PREFIX: '', KAFKA_TLS: 'false' },
    { EVENTSTORE_URL: URL, EVENT_STORE: 'eventstoredb', BUS: 'kafka', KAFKA_BROKERS: 'host:9092', KAFKA_PREFIX: 'a.' },
  ] as const)('are none where they are empty, or of what is taken: %j', (variables) => {
    expect(idle(variables)).toEqual([]);
  });
});
