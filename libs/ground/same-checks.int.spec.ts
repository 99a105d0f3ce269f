import { beforeEach, describe, expect, it } from '@jest/globals';
import { migrations as ofInstances, startBeating } from '#instances';
import { type Operator, migrations as ofPartners, openPartners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { createHealth, type Health } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createSecrets } from '#platform/secrets';
import { databasePerTest } from '../../test/support/with-database.ts';
import { askChecks, checksOf, settleChecks } from './same-checks.ts';

const FROM = '192.0.2.1';

const database = databasePerTest(ofPartners, ofInstances);

type Settings = Readonly<Record<string, string>>;

const provider = {
  ...{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'cointill', OIDC_CLIENT_SECRET: 'of the client' },
  ...{ OIDC_ROLES: 'payments=admin', CONSOLE_URL: 'https://ops.example' },
};

const act = {
  operation: 'createToken',
  about: { path: '/operator/tokens' },
  reason: 'a new colleague',
  roles: ['admin'] as const,
};

type Instance = {
  readonly health: Health;
  readonly tryIt: () => Promise<string>;
  readonly sessionOf: (person: Operator) => Promise<string>;
  readonly beat: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

let bob: Operator;

/** As a process of the service starts: it has beaten once. */
const start = async (settings: Settings): Promise<Instance> => {
  const { pool } = database;
  const [configuration, health] = [readConfiguration(settings), createHealth()];
  const parts = { configuration, pool, health, logger: silentLogger };
  const [secrets, checks] = [createSecrets('a key of tests'), askChecks(configuration, pool)];
  const partners = database.closing(await openPartners({ pool, secrets, logger: silentLogger, checks }));
  await settleChecks(parts);
  const beating = await new Promise<{ stop: () => Promise<void> }>((resolve) => {
    const started = startBeating({
      ...{ db: pool, logger: silentLogger, apps: ['operator'], version: '1.2.3', everyMs: 3_600_000 },
      ...{ checks: checksOf(configuration), onBeat: async () => resolve(started) },
    });
  });
  database.atEnd(beating.stop);
  const authenticated = async (secret: string) => {
    const known = await partners.authenticateOperator({ session: secret }, FROM);
    return known.outcome === 'refused' ? undefined : known.operator.session;
  };
  return {
    ...{ health, stop: beating.stop, beat: () => settleChecks(parts) },
    tryIt: async () => {
      const secret = await partners.sessions.begin(bob);
      return (await (await authenticated(secret))?.allow(act))?.outcome ?? 'refused';
    },
    sessionOf: async (person) => {
      const secret = await partners.sessions.begin(person);
      await pool.query("UPDATE console_sessions SET created_at = now() - interval '20 minutes'");
      return (await authenticated(secret)) ? 'let in' : 'refused';
    },
  };
};

const trail = async () =>
  (await database.pool.query("SELECT actor, after FROM audit_trail WHERE subject = 'four_eyes' ORDER BY id")).rows;

beforeEach(async () => {
  const partners = database.closing(
    await openPartners({ pool: database.pool, secrets: createSecrets('a key of tests'), logger: silentLogger }),
  );
  const known = await partners.knowPerson({ subject: 'bob', name: 'Bob', role: 'admin' });
  if (known.outcome !== 'known') throw new Error('he is not known');
  bob = known.operator;
});

describe('a second person', () => {
  it('is asked for at an instance that left FOUR_EYES out, beside one that has it and after its end', async () => {
    const lax = await start({});
    expect(await lax.tryIt()).toBe('allowed');
    const strict = await start({ FOUR_EYES: 'true' });
    expect(await strict.tryIt()).toBe('held');
    expect(await (await start({})).tryIt()).toBe('held');
    await strict.stop();
    expect(await (await start({})).tryIt()).toBe('held');
    expect(await trail()).toEqual([{ actor: 'FOUR_EYES', after: { four_eyes: true } }]);
  });

  it('is asked for no more where FOUR_EYES=false is said by name, once nobody runs who has it otherwise', async () => {
    const strict = await start({ FOUR_EYES: 'true' });
    const off = await start({ FOUR_EYES: 'false' });
    await off.beat();
    expect(await off.tryIt()).toBe('held');
    expect(await strict.tryIt()).toBe('held');
    await strict.stop();
    await off.beat();
    for (const settings of [{ FOUR_EYES: 'false' }, {}]) expect(await (await start(settings)).tryIt()).toBe('allowed');
    expect((await trail()).map(({ after }) => after)).toEqual([{ four_eyes: true }, { four_eyes: false }]);
  });

  it('is asked for again with the next beat of one that has it', async () => {
    const strict = await start({ FOUR_EYES: 'true' });
    await database.pool.query("UPDATE instances SET seen_at = now() - interval '20 seconds'");
    const off = await start({ FOUR_EYES: 'false' });
    expect(await off.tryIt()).toBe('allowed');
    expect(await strict.tryIt()).toBe('held');
    await strict.beat();
    expect(await (await start({})).tryIt()).toBe('held');
  });
});

it('what a provider said holds no longer than the shortest OIDC_RECHECK of those that run, also where none is known', async () => {
  const bare = await start({});
  expect(await bare.sessionOf(bob)).toBe('let in');
  const strict = await start({ ...provider, OIDC_RECHECK: '900' });
  for (const settings of [{}, { ...provider, OIDC_RECHECK: '43200' }])
    expect(await (await start(settings)).sessionOf(bob)).toBe('refused');
  await strict.stop();
  expect(await (await start({})).sessionOf(bob)).toBe('let in');
});

it('readiness says where those that run were told otherwise, for as long as they do', async () => {
  const one = await start({ ...provider, FOUR_EYES: 'true', OIDC_RECHECK: '900' });
  const untold = await start({});
  await one.beat();
  expect((await one.health.readiness()).alarms).toBeUndefined();
  const other = await start({ ...provider, FOUR_EYES: 'false', OIDC_ROLES: 'everybody=admin' });
  await untold.beat();
  expect((await untold.health.readiness()).alarms?.map((alarm) => alarm.split(': ')[0])).toEqual([
    'instances were started with different FOUR_EYES',
    'instances were started with different OIDC_RECHECK',
    'instances were started with different OIDC_ISSUER, OIDC_ROLES_CLAIM or OIDC_ROLES',
  ]);
  await other.stop();
  await untold.beat();
  expect((await untold.health.readiness()).alarms).toBeUndefined();
});
