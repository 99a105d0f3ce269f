import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from './index.ts';
import { problemsWith } from './testing/problems-with.ts';

const pem = (kind: string): string => `-----BEGIN ${kind}-----\nAAAA\n-----END ${kind}-----`;

describe('the configuration', () => {
  it('serves a laptop when nothing is set', () => {
    expect(readConfiguration({})).toEqual({
      http: { host: '127.0.0.1', port: 3000 },
      trustedProxies: [],
      dataDir: resolve('.data'),
      database: { kind: 'embedded' },
      connections: { database: 20, log: 10 },
      eventStore: { kind: 'postgres' },
      bus: { kind: 'postgres' },
      engine: 'simulated',
      chains: [],
      named: { engine: false, demo: false, eventStore: false },
      shown: expect.any(Array),
      fastUnderFullRbf: 'allow',
      demo: true,
      rates: { linksPerAddress: 120 },
      phoneCheck: 'lenient',
      textLimits: { perNumber: 30, perPlayer: 20, perKey: 600, perCasino: 1000 },
      kept: { deliveriesDays: 400, messagesDays: 400, tokensDays: 400, signalsDays: 400 },
      sealEverySeconds: 86_400,
      fourEyes: undefined,
      webhooks: { allowPrivate: false },
      tokens: { operator: undefined, engine: undefined },
      secretsKey: undefined,
      logging: { level: 'info' },
    });
  });

  it('takes every setting', () => {
    const configuration = readConfiguration({
      PORT: '0',
      HOST: '::1',
      OPERATOR_PORT: '0',
      OPERATOR_HOST: '10.0.0.7',
      TRUSTED_PROXIES: '10.0.0.7, fd00::/8',
      DATA_DIR: '/var/lib/with a space',
      DATABASE_URL: 'postgresql://me:pw@db.example:5433/pay?sslmode=require',
      MIGRATION_DATABASE_URL: 'postgresql://owner:pw@db.example:5433/pay?sslmode=require',
      DATABASE_CONNECTIONS: '40',
      EVENT_LOG_CONNECTIONS: '4',
      EVENT_STORE: 'eventstoredb',
      EVENTSTORE_URL: 'esdb+discover://log.example:2113',
      BUS: 'kafka',
      KAFKA_BROKERS: 'one.example:9092, [::1]:9093',
      KAFKA_TLS: 'true',
      KAFKA_CA: pem('CERTIFICATE'),
      KAFKA_CERT: pem('CERTIFICATE'),
      KAFKA_KEY: pem('PRIVATE KEY'),
      KAFKA_SASL: 'scram-sha-512',
      KAFKA_USERNAME: 'pay',
      KAFKA_PASSWORD: 'pw',
      KAFKA_PARTITIONS: '24',
      KAFKA_REPLICATION: '3',
      KAFKA_PREFIX: 'test.',
      ENGINE: 'external',
      FAST_UNDER_FULL_RBF: 'refuse',
      DEMO: 'true',
      ...{ CREATES_PER_KEY: '1', CREATES_PER_CASINO: '2', CREATES_PER_ADDRESS: '3' },
      ...{ FAILURES_PER_KEY: '4', FAILURES_PER_ADDRESS: '5', LINKS_PER_ADDRESS: '6' },
      PHONE_CHECK: 'strict',
      SMS_PER_NUMBER: '3',
      SMS_PER_PLAYER: '4',
      SMS_PER_KEY: '5',
      SMS_PER_CASINO: '6',
      ...{ KEEP_DELIVERIES_DAYS: '100', KEEP_MESSAGES_DAYS: '110', KEEP_TOKENS_DAYS: '120' },
      ...{ KEEP_SIGNALS_DAYS: '130' },
      SEAL_EVERY: '0',
      FOUR_EYES: 'true',
      OIDC_ISSUER: 'https://id.example/realms/pay',
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_SCOPE: 'openid email',
      OIDC_ROLES_CLAIM: 'realm_access.roles',
      OIDC_RECHECK: '900',
      OIDC_ROLES: 'CN=admins=admin, night=ops',
      CONSOLE_URL: 'https://ops.example/',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      OPERATOR_TOKEN: 'an-operator-token-of-tests-1',
      ENGINE_TOKEN: 'an-engine-token-of-tests-0001',
      SECRETS_KEY: 'any text at all, if it is long',
      LOG_LEVEL: 'debug',
    });
    expect(configuration).toEqual({
      http: { host: '::1', port: 0 },
      operatorHttp: { host: '10.0.0.7', port: 0 },
      trustedProxies: ['10.0.0.7', 'fd00::/8'],
      dataDir: '/var/lib/with a space',
      database: {
        kind: 'server',
        url: 'postgresql://me:pw@db.example:5433/pay?sslmode=require',
        migrationUrl: 'postgresql://owner:pw@db.example:5433/pay?sslmode=require',
      },
      connections: { database: 40, log: 4 },
      eventStore: { kind: 'eventstoredb', url: 'esdb+discover://log.example:2113' },
      bus: {
        kind: 'kafka',
        brokers: ['one.example:9092', '[::1]:9093'],
        tls: { ca: pem('CERTIFICATE'), cert: pem('CERTIFICATE'), key: pem('PRIVATE KEY') },
        login: { by: 'scram-sha-512', username: 'pay', password: 'pw' },
        partitions: 24,
        replication: 3,
        prefix: 'test.',
      },
      engine: 'external',
      chains: [],
      named: { engine: true, demo: true, eventStore: true },
      shown: expect.any(Array),
      fastUnderFullRbf: 'refuse',
      demo: true,
      rates: {
        ...{ createsPerKey: 1, createsPerCasino: 2, createsPerAddress: 3 },
        ...{ failuresPerKey: 4, failuresPerAddress: 5, linksPerAddress: 6 },
      },
      phoneCheck: 'strict',
      textLimits: { perNumber: 3, perPlayer: 4, perKey: 5, perCasino: 6 },
      kept: { deliveriesDays: 100, messagesDays: 110, tokensDays: 120, signalsDays: 130 },
      sealEverySeconds: 0,
      fourEyes: true,
      provider: {
        issuer: 'https://id.example/realms/pay',
        clientId: 'console',
        clientSecret: 'secret',
        scope: 'openid email',
        rolesClaim: 'realm_access.roles',
        recheckSeconds: 900,
        roles: new Map([
          ['CN=admins', 'admin'],
          ['night', 'ops'],
        ]),
        consoleUrl: 'https://ops.example',
      },
      webhooks: { allowPrivate: true },
      tokens: { operator: 'an-operator-token-of-tests-1', engine: 'an-engine-token-of-tests-0001' },
      secretsKey: 'any text at all, if it is long',
      logging: { level: 'debug' },
    });
  });

  it.each([
    [{}, true],
    [{ ENGINE: 'external' }, false],
    [{ ENGINE: 'live' }, false],
    [{ DEMO: 'false' }, false],
    [{ ENGINE: 'external', DEMO: 'true' }, true],
  ])('demonstrates with the simulated engine alone, unless told: %j', (variables, demo) => {
    expect(readConfiguration(variables).demo).toBe(demo);
  });

  it('knows whether ENGINE, DEMO and EVENT_STORE were left out, each for itself', () => {
    const namedIn = (variables: Readonly<Record<string, string>>) => readConfiguration(variables).named;
    expect(namedIn({ ENGINE: 'simulated' })).toEqual({ engine: true, demo: false, eventStore: false });
    expect(namedIn({ ENGINE: ' ', DEMO: 'false', EVENT_STORE: 'postgres' })).toEqual({
      ...{ engine: false, demo: true, eventStore: true },
    });
  });

  it.each(['esdb://one.example:2113,two.example:2113?tls=true', 'esdb://me:pw@127.0.0.1:2113?tls=false', 'esdb://log'])(
    'takes %s for an event store',
    (url) => {
      const { eventStore } = readConfiguration({ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: url });
      expect(eventStore).toEqual({ kind: 'eventstoredb', url });
    },
  );

  it('reads an empty or blank setting as an unset one', () => {
    const names = [
      'PORT',
      'HOST',
      'DATABASE_URL',
      'EVENT_STORE',
      'BUS',
      'ENGINE',
      'DEMO',
      'WEBHOOK_ALLOW_PRIVATE',
      'LOG_LEVEL',
    ];
    expect(readConfiguration(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfiguration({}));
    expect(readConfiguration(Object.fromEntries(names.map((name) => [name, '  '])))).toEqual(readConfiguration({}));
  });

  it.each(['DELIVERIES', 'MESSAGES', 'TOKENS', 'SIGNALS'])('lets go of no %s before 90 days', (what) => {
    const name = `KEEP_${what}_DAYS`;
    expect(problemsWith({ [name]: '89' })).toEqual([`${name} must be a whole number from 90 to 36500, not '89'`]);
    expect(problemsWith({ [name]: '90' })).toEqual([]);
  });

  it.each([
    [{ PORT: 'abc' }, "PORT must be a whole number from 0 to 65535, not 'abc'"],
    [{ PORT: '65536' }, "PORT must be a whole number from 0 to 65535, not '65536'"],
    [{ PORT: '-1' }, "PORT must be a whole number from 0 to 65535, not '-1'"],
    [{ PORT: '3e3' }, "PORT must be a whole number from 0 to 65535, not '3e3'"],
    [{ HOST: 'not a host' }, "HOST must be an address or a host name of this machine, not 'not a host'"],
    [
      { PUBLIC_URL: 'https://pay.example/x?y=1' },
      "PUBLIC_URL must be empty or a URL like https://pay.example without a query or fragment, not 'https://pay.example/x?y=1'",
    ],
    [
      { PUBLIC_URL: 'https://pay.example/#' },
      "PUBLIC_URL must be empty or a URL like https://pay.example without a query or fragment, not 'https://pay.example/#'",
    ],
    [{ EVENT_STORE: 'mysql' }, "EVENT_STORE must be one of postgres, eventstoredb, not 'mysql'"],
    [{ PORT: '4000', OPERATOR_PORT: '4000' }, "OPERATOR_PORT must differ from PORT, not '4000'"],
    [{ OPERATOR_HOST: '10.0.0.7' }, 'OPERATOR_PORT must be set where OPERATOR_HOST is'],
    [{ EVENTSTORE_URL: 'http://log:2113' }, 'EVENTSTORE_URL must be a URL like esdb://host:2113?tls=false'],
    [{ BUS: 'rabbit' }, "BUS must be one of postgres, kafka, not 'rabbit'"],
    [{ BUS: 'kafka', KAFKA_BROKERS: 'host' }, "KAFKA_BROKERS must be a list like host:9092,host:9093, not 'host'"],
    [{ ENGINE: 'real' }, "ENGINE must be one of simulated, external, live, not 'real'"],
    [{ DEMO: 'yes' }, "DEMO must be true or false, not 'yes'"],
    [{ WEBHOOK_ALLOW_PRIVATE: 'yes' }, "WEBHOOK_ALLOW_PRIVATE must be one of true, false, not 'yes'"],
    [{ LOG_LEVEL: 'loud' }, "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not 'loud'"],
    [
      { EVENT_STORE: 'eventstoredb' },
      'EVENTSTORE_URL must be set when EVENT_STORE is eventstoredb, to a URL like esdb://host:2113?tls=false',
    ],
    [{ KAFKA_CA: pem('CERTIFICATE') }, 'KAFKA_CA must be left out unless KAFKA_TLS is true'],
    [{ KAFKA_TLS: 'true', KAFKA_CA: '/etc/ca.pem' }, 'KAFKA_CA must be empty or certificates as PEM'],
    [{ KAFKA_TLS: 'true', KAFKA_KEY: pem('PRIVATE KEY') }, 'KAFKA_CERT must be set where KAFKA_KEY is'],
    [{ KAFKA_TLS: 'true', KAFKA_CERT: pem('CERTIFICATE') }, 'KAFKA_KEY must be set where KAFKA_CERT is'],
    [{ KAFKA_SASL: 'plain', KAFKA_USERNAME: 'pay' }, 'KAFKA_PASSWORD must be set where KAFKA_SASL is'],
    [{ KAFKA_USERNAME: 'pay' }, 'KAFKA_SASL must be set where KAFKA_USERNAME is'],
    [{ KAFKA_PARTITIONS: '0' }, "KAFKA_PARTITIONS must be empty or a whole number from 1 to 1000, not '0'"],
    [{ DATABASE_CONNECTIONS: '4' }, "DATABASE_CONNECTIONS must be a whole number from 5 to 1000, not '4'"],
    [
      { KAFKA_PREFIX: '.test' },
      "KAFKA_PREFIX must be empty or at most 100 letters, digits, dots, dashes and underscores, the first no dot, not '.test'",
    ],
    [{ BUS: 'kafka' }, 'KAFKA_BROKERS must be set when BUS is kafka, to a list like host:9092,host:9093'],
    [
      { OPERATOR_TOKEN: 'one-token-in-two-settings-1', ENGINE_TOKEN: 'one-token-in-two-settings-1' },
      'ENGINE_TOKEN must differ from OPERATOR_TOKEN, because a token has one role',
    ],
  ] as const)('says in one line what is wrong with %j', (variables, message) => {
    expect(problemsWith(variables)).toEqual([message]);
  });

  it('names every wrong setting at once', () => {
    expect(problemsWith({ PORT: 'x', BUS: 'kafka', ENGINE: 'y' }).map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'ENGINE',
      'KAFKA_BROKERS',
    ]);
  });

  it('never repeats what may hold a password', () => {
    const lines = problemsWith({
      DATABASE_URL: 'mysql://me:hunter2@db/pay',
      OPERATOR_TOKEN: 'hunter2 ü and so on, of some length',
      KAFKA_BROKERS: 'me:hunter2@kafka:9092',
      HOST: 'postgres://me:hunter2@db/pay',
    });
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('cuts a very long value short', () => {
    expect(problemsWith({ PORT: 'x'.repeat(5000) })[0]?.length).toBeLessThan(160);
  });
});

it.each(['OPERATOR_TOKEN', 'ENGINE_TOKEN', 'SECRETS_KEY'])('%s is refused with the command that makes one', (name) => {
  expect(problemsWith({ [name]: 'correct-horse' })).toEqual([
    `${name} must have at least 128 bits: openssl rand -hex 32 makes one that has`,
  ]);
});
