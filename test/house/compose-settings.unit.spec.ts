import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { composeFile } from './compose-file.ts';

/** The table of docs/reference/settings.md. What the nodes of chains need is in secrets/chain-nodes.env. */
const settings = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  .filter((name) => !name.startsWith('BTC_'));

/** Inside a container these are the file's to say: where it serves, what it keeps, which stores are beside it. */
const OF_THE_CONTAINER = ['PORT', 'HOST', 'OPERATOR_PORT', 'OPERATOR_HOST', 'DATA_DIR', 'EVENT_STORE', 'BUS'];
const BY_FILES = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'EVENTSTORE_URL', 'SECRETS_KEY'];
const TOKENS = ['OPERATOR_TOKEN', 'ENGINE_TOKEN'];
const OF_OTHER_BROKERS = ['KAFKA_BROKERS', 'KAFKA_TLS', 'KAFKA_CA', 'KAFKA_CERT', 'KAFKA_KEY', 'KAFKA_SASL'];
const FIXED = [...OF_THE_CONTAINER, ...BY_FILES, ...TOKENS, ...OF_OTHER_BROKERS];
const OF_KAFKA = ['KAFKA_PREFIX', 'KAFKA_PARTITIONS', 'KAFKA_REPLICATION'];

const passed = (file: string, service: string): readonly string[] => {
  const set = Object.fromEntries(settings.map((name) => [name, `${name} as it is set`]));
  const { environment = {} } = composeFile(file, set).services[service] ?? {};
  return settings.filter((name) => environment[name]?.endsWith(`${name} as it is set`));
};

const without = (...others: readonly string[]) => settings.filter((name) => ![...FIXED, ...others].includes(name));

describe('what is set for Compose', () => {
  it('reaches the one container', () => {
    expect(settings).toContain('FOUR_EYES');
    expect(passed('compose.yaml', 'cointill')).toEqual(without(...OF_KAFKA));
  });

  it.each(['api', 'operator', 'engine'])('reaches %s of the cluster', (app) => {
    expect(passed('compose.cluster.yaml', app)).toEqual(without('EVENT_LOG_CONNECTIONS'));
  });

  it.each(['projector', 'notifier', 'watcher'])('reaches %s of the cluster, which no proxy is before', (app) => {
    expect(passed('compose.cluster.yaml', app)).toEqual(without('EVENT_LOG_CONNECTIONS', 'TRUSTED_PROXIES'));
  });

  it.each([
    ['compose.yaml', 'cointill'],
    ['compose.cluster.yaml', 'api'],
  ])('stays unset in %s where it is not set', (file, service) => {
    const { environment = {} } = composeFile(file).services[service] ?? {};
    expect(environment).toMatchObject({ FOUR_EYES: '', KEEP_SIGNALS_DAYS: '', OIDC_ISSUER: '', DEMO: '' });
  });
});
