import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Configuration, readConfiguration } from './index.ts';
import { problemsWith } from './testing/problems-with.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'secrets of a service '));
});

afterAll(() => rmSync(directory, { recursive: true }));

const fileWith = (name: string, text: string | Buffer): string => {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
};

const databaseOf = ({ database }: Configuration) => database;

describe('a secret in a file', () => {
  it.each([
    ['DATABASE_URL', 'postgres://me:pw@db/pay', databaseOf, { kind: 'server', url: 'postgres://me:pw@db/pay' }],
    ['SMTP_URL', 'smtp://me:pw@mail:587', ({ smtpUrl }: Configuration) => smtpUrl, 'smtp://me:pw@mail:587'],
    [
      'OPERATOR_TOKEN',
      'an-operator-token-of-tests-1',
      ({ tokens }: Configuration) => tokens.operator,
      'an-operator-token-of-tests-1',
    ],
    [
      'ENGINE_TOKEN',
      'an-engine-token-of-tests-0001',
      ({ tokens }: Configuration) => tokens.engine,
      'an-engine-token-of-tests-0001',
    ],
    [
      'SECRETS_KEY',
      'any text at all, if it is long',
      ({ secretsKey }: Configuration) => secretsKey,
      'any text at all, if it is long',
    ],
  ])('is taken for %s, without the line break at its end', (name, text, read, expected) => {
    const configuration = readConfiguration({ [`${name}_FILE`]: fileWith(name, `  ${text}\n`) });
    expect(read(configuration)).toEqual(expected);
  });

  it('is taken for EVENTSTORE_URL', () => {
    const file = fileWith('log', 'esdb://me:pw@log:2113\n');
    const { eventStore } = readConfiguration({ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL_FILE: file });
    expect(eventStore).toEqual({ kind: 'eventstoredb', url: 'esdb://me:pw@log:2113' });
  });

  it("is taken for Kafka's password and certificates", () => {
    const ca = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    const { bus } = readConfiguration({
      ...{ BUS: 'kafka', KAFKA_BROKERS: 'one:9092', KAFKA_TLS: 'true', KAFKA_CA_FILE: fileWith('ca', `${ca}\n`) },
      ...{ KAFKA_SASL: 'plain', KAFKA_USERNAME: 'pay', KAFKA_PASSWORD_FILE: fileWith('password', 'pw\n') },
    });
    expect(bus).toMatchObject({ tls: { ca }, login: { by: 'plain', username: 'pay', password: 'pw' } });
  });

  it('is refused beside the setting itself', () => {
    const variables = { DATABASE_URL: 'postgres://me:pw@db/pay', DATABASE_URL_FILE: fileWith('url', 'x') };
    expect(problemsWith(variables)).toEqual(['DATABASE_URL and DATABASE_URL_FILE are both set: leave one of them out']);
  });

  it('is refused where the file cannot be read', () => {
    const file = join(directory, 'missing');
    expect(problemsWith({ OPERATOR_TOKEN_FILE: file })).toEqual([
      `OPERATOR_TOKEN_FILE must be a file that can be read: ENOENT: no such file or directory, open '${file}'`,
    ]);
    expect(problemsWith({ OPERATOR_TOKEN_FILE: directory })).toEqual([
      expect.stringMatching(/^OPERATOR_TOKEN_FILE must be a file that can be read, and no pipe, device or directory: /),
    ]);
  });

  it('is refused where the file is empty, and does not count as unset', () => {
    const file = fileWith('empty', '\n');
    expect(problemsWith({ DATABASE_URL_FILE: file })).toEqual([
      `DATABASE_URL_FILE names a file that is empty: ${file}`,
    ]);
  });

  it('is held to the same rules, and never repeated', () => {
    const file = fileWith('wrong', 'mysql://me:hunter2@db/pay');
    expect(problemsWith({ DATABASE_URL_FILE: file, PORT: 'x' })).toEqual([
      "PORT must be a whole number from 0 to 65535, not 'x'",
      'DATABASE_URL must be empty (an embedded Postgres) or a URL like postgres://user:password@host:5432/database',
    ]);
  });

  it('is not asked for where its setting is blank', () => {
    expect(readConfiguration({ DATABASE_URL_FILE: ' ', SECRETS_KEY_FILE: '' })).toEqual(readConfiguration({}));
  });

  it('may hold any other setting too, a coin\u2019s as well', () => {
    const { http, chains } = readConfiguration({
      ...{ PORT_FILE: fileWith('port', '4000\n'), BTC_NODE_URL: 'http://node:8332' },
      ...{ BTC_NODE_USER_FILE: fileWith('user', 'pay\n'), BTC_NODE_PASSWORD_FILE: fileWith('password of it', 'pw\n') },
    });
    expect(http.port).toBe(4000);
    expect(chains[0]?.login).toEqual({ user: 'pay', password: 'pw' });
  });

  it('is shown to operators as it is in force, and of a secret that it is set', () => {
    const { shown } = readConfiguration({
      SMS_PER_NUMBER_FILE: fileWith('texts', '77\n'),
      ENGINE_TOKEN_FILE: fileWith('t', 'an-engine-token-of-tests-0002'),
    });
    expect(shown).toContainEqual({ name: 'SMS_PER_NUMBER', value: '77' });
    expect(shown).toContainEqual({ name: 'ENGINE_TOKEN', value: '(set)' });
  });

  it('is refused where it is no UTF-8, or of more than one line', () => {
    const key = 'a key that is long enough for all of it';
    const utf16 = fileWith('utf16', Buffer.from(`\ufeff${key}`, 'utf16le'));
    expect(problemsWith({ SECRETS_KEY_FILE: utf16 })).toEqual([
      `SECRETS_KEY_FILE names a file that is no UTF-8: ${utf16}`,
    ]);
    const commented = fileWith('commented', `${key}\n# made in spring\n`);
    expect(problemsWith({ SECRETS_KEY_FILE: commented })).toEqual([
      `SECRETS_KEY_FILE names a file of more than one line: ${commented}`,
    ]);
  });

  it.each(['a pipe', '/dev/zero'])('is refused, and not waited for, where it is %s', (name) => {
    const path = name.startsWith('/') ? name : join(directory, name);
    if (path !== name) execFileSync('mkfifo', [path]);
    expect(problemsWith({ OPERATOR_TOKEN_FILE: path })).toEqual([
      `OPERATOR_TOKEN_FILE must be a file that can be read, and no pipe, device or directory: ${path}`,
    ]);
  });

  it('is refused where it is larger than any value is', () => {
    const file = fileWith('large', 'x'.repeat(2 ** 20 + 1));
    expect(problemsWith({ KAFKA_CA_FILE: file })).toEqual([`KAFKA_CA_FILE names a file of more than 1 MiB: ${file}`]);
  });
});
