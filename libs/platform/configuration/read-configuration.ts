import { resolve } from 'node:path';
import { validateSync } from 'class-validator';
import { type Variables, withFiles } from '#platform/from-files';
import { chainSettings, chainsOf } from './chains.ts';
import type {
  Configuration,
  EngineMode,
  KafkaConfiguration,
  KafkaLogin,
  LogLevel,
  PhoneCheck,
} from './configuration.ts';
import { Environment } from './environment.ts';
import { providerOf } from './provider-environment.ts';
import { secretNames } from './secret.ts';
import { rateSourcesOf, wordsOf } from './shapes.ts';

/** Every wrong setting at once, one line for each. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/** Unset and empty are the same, and so are spaces around a value. */
const environmentOf = (variables: Variables): Environment => {
  const environment = new Environment();
  for (const name of Object.keys(environment) as (keyof Environment)[]) {
    const text = variables[name]?.trim();
    if (text) environment[name] = text;
  }
  return environment;
};

const problemsOf = (environment: Environment): string[] =>
  validateSync(environment).flatMap(({ constraints }) => Object.values(constraints ?? {}));

const countOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const kafkaOf = (checked: Environment): KafkaConfiguration => {
  const { KAFKA_TLS, KAFKA_CA, KAFKA_CERT, KAFKA_KEY, KAFKA_SASL, KAFKA_USERNAME, KAFKA_PASSWORD } = checked;
  const certificate = KAFKA_CERT ? { cert: KAFKA_CERT, key: KAFKA_KEY } : {};
  return {
    kind: 'kafka',
    brokers: wordsOf(checked.KAFKA_BROKERS),
    tls: KAFKA_TLS === 'true' ? { ...(KAFKA_CA && { ca: KAFKA_CA }), ...certificate } : undefined,
    login: KAFKA_SASL
      ? { by: KAFKA_SASL as KafkaLogin, username: KAFKA_USERNAME, password: KAFKA_PASSWORD }
      : undefined,
    partitions: countOf(checked.KAFKA_PARTITIONS),
    replication: countOf(checked.KAFKA_REPLICATION),
    prefix: checked.KAFKA_PREFIX,
  };
};

const maybeCount = (text: string): number | undefined => (text === '' ? undefined : Number(text));

const ratesOf = (checked: Environment): Configuration['rates'] => ({
  createsPerKey: maybeCount(checked.CREATES_PER_KEY),
  createsPerCasino: maybeCount(checked.CREATES_PER_CASINO),
  createsPerAddress: maybeCount(checked.CREATES_PER_ADDRESS),
  failuresPerKey: maybeCount(checked.FAILURES_PER_KEY),
  failuresPerAddress: maybeCount(checked.FAILURES_PER_ADDRESS),
  linksPerAddress: Number(checked.LINKS_PER_ADDRESS),
});

const databaseOf = ({ DATABASE_URL, MIGRATION_DATABASE_URL }: Environment): Configuration['database'] =>
  DATABASE_URL
    ? { kind: 'server', url: DATABASE_URL, migrationUrl: MIGRATION_DATABASE_URL || undefined }
    : { kind: 'embedded' };

const configurationOf = (
  checked: Environment,
  chains: Configuration['chains'],
): Omit<Configuration, 'named' | 'shown'> => ({
  http: { host: checked.HOST, port: Number(checked.PORT) },
  operatorHttp:
    checked.OPERATOR_PORT === ''
      ? undefined
      : { host: checked.OPERATOR_HOST || '127.0.0.1', port: Number(checked.OPERATOR_PORT) },
  trustedProxies: wordsOf(checked.TRUSTED_PROXIES),
  dataDir: resolve(checked.DATA_DIR),
  database: databaseOf(checked),
  eventStore:
    checked.EVENT_STORE === 'eventstoredb'
      ? { kind: 'eventstoredb', url: checked.EVENTSTORE_URL }
      : { kind: 'postgres' },
  connections: { log: Number(checked.EVENT_LOG_CONNECTIONS), database: Number(checked.DATABASE_CONNECTIONS) },
  bus: checked.BUS === 'kafka' ? kafkaOf(checked) : { kind: 'postgres' },
  engine: checked.ENGINE as EngineMode,
  chains,
  fastUnderFullRbf: checked.FAST_UNDER_FULL_RBF as Configuration['fastUnderFullRbf'],
  demo: checked.DEMO === '' ? checked.ENGINE === 'simulated' : checked.DEMO === 'true',
  publicUrl: checked.PUBLIC_URL.replace(/\/+$/, '') || undefined,
  rateSources: checked.RATE_SOURCES === '' ? undefined : rateSourcesOf(checked.RATE_SOURCES),
  smtpUrl: checked.SMTP_URL || undefined,
  rates: ratesOf(checked),
  phoneCheck: checked.PHONE_CHECK as PhoneCheck,
  textLimits: {
    perNumber: Number(checked.SMS_PER_NUMBER),
    perPlayer: Number(checked.SMS_PER_PLAYER),
    perKey: Number(checked.SMS_PER_KEY),
    perCasino: Number(checked.SMS_PER_CASINO),
  },
  kept: {
    deliveriesDays: Number(checked.KEEP_DELIVERIES_DAYS),
    messagesDays: Number(checked.KEEP_MESSAGES_DAYS),
    tokensDays: Number(checked.KEEP_TOKENS_DAYS),
    signalsDays: Number(checked.KEEP_SIGNALS_DAYS),
  },
  sealEverySeconds: Number(checked.SEAL_EVERY),
  fourEyes: checked.FOUR_EYES === '' ? undefined : checked.FOUR_EYES === 'true',
  provider: providerOf(checked),
  webhooks: { allowPrivate: checked.WEBHOOK_ALLOW_PRIVATE === 'true' },
  tokens: { operator: checked.OPERATOR_TOKEN || undefined, engine: checked.ENGINE_TOKEN || undefined },
  secretsKey: checked.SECRETS_KEY || undefined,
  logging: { level: checked.LOG_LEVEL as LogLevel },
});

/** For operators: of a secret whether it is set, and no more. */
const shownOf = (environment: Environment): Configuration['shown'] =>
  Object.entries(environment).map(([name, value]) => ({
    name,
    value: secretNames.has(name) && value !== '' ? '(set)' : value,
  }));

const isSet = (text: string | undefined): boolean => (text ?? '').trim() !== '';

export const readConfiguration = (variables: Variables): Configuration => {
  const given = withFiles(variables, [...Object.keys(new Environment()), ...chainSettings]);
  const environment = environmentOf(given.variables);
  const { chains, problems: wrong } = chainsOf(given.variables);
  const problems = [...given.problems, ...problemsOf(environment), ...wrong];
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { ENGINE, DEMO, EVENT_STORE } = given.variables;
  const named = { engine: isSet(ENGINE), demo: isSet(DEMO), eventStore: isSet(EVENT_STORE) };
  return { ...configurationOf(environment, chains), named, shown: shownOf(environment) };
};
