import { describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import { refusal } from '../testing/refusal.ts';
import { secondsUntil, untilListening } from '../testing/until.ts';

const FROM = '192.0.2.1';

const database = databasePerTest(migrations);

const open = async (): Promise<TestPartners> => database.closing(await openTestPartners(database.url));

const useOf = ({ partners }: TestPartners, token: string | undefined): Promise<string> =>
  refusal(partners.authenticateOperator(`Bearer ${token}`, FROM));

const operatorOf = async ({ partners }: TestPartners, header: string) => {
  const known = await partners.authenticateOperator(header, FROM);
  if (known.outcome === 'refused') throw new Error(`the token is ${known.refusal.refusal}`);
  return known.operator;
};

const roleOf = async (instance: TestPartners, token: string | undefined): Promise<string> =>
  (await operatorOf(instance, `Bearer ${token}`)).role;

describe('the first start', () => {
  it('makes one token for the operator and one for the engine, at random', async () => {
    const instance = await open();
    const { operatorToken, engineToken } = await instance.partners.prepareTokens({});
    expect(await roleOf(instance, operatorToken)).toBe('admin');
    expect(await roleOf(instance, engineToken)).toBe('engine');
    expect(Buffer.from(operatorToken ?? '', 'base64url')).toHaveLength(32);
  });

  it('takes the tokens of the settings and does not show them again', async () => {
    const instance = await open();
    expect(await instance.partners.prepareTokens({ operator: 'two words', engine: 'e' })).toEqual({});
    expect([await roleOf(instance, 'two words'), await roleOf(instance, 'e')]).toEqual(['admin', 'engine']);
    const { items } = await instance.partners.accounts.tokens.list({});
    expect(items.map(({ role, name }) => [role, name])).toEqual([
      ['admin', 'OPERATOR_TOKEN'],
      ['engine', 'ENGINE_TOKEN'],
    ]);
  });

  it('is one of many starts at the same time', async () => {
    const instances = await Promise.all([open(), open(), open()]);
    const made = await Promise.all(instances.map(({ partners }) => partners.prepareTokens({})));
    expect(made.filter(({ operatorToken }) => operatorToken !== undefined)).toHaveLength(1);
    const same = await Promise.all(instances.map(({ partners }) => partners.prepareTokens({ operator: 'again' })));
    expect(same).toEqual([{}, {}, {}]);
  });

  it('with one text for both makes it an admin, who may send signals too', async () => {
    const instance = await open();
    await instance.partners.prepareTokens({ operator: 'same', engine: 'same' });
    expect(await roleOf(instance, 'same')).toBe('admin');
  });
});

describe('a later start', () => {
  it('makes nothing by itself, and makes a new setting work beside what was there', async () => {
    const instance = await open();
    const { operatorToken } = await instance.partners.prepareTokens({});
    expect(await instance.partners.prepareTokens({})).toEqual({});
    expect(await useOf(instance, 'chosen')).toBe('invalid');
    expect(await instance.partners.prepareTokens({ operator: 'chosen' })).toEqual({});
    expect([await roleOf(instance, 'chosen'), await roleOf(instance, operatorToken)]).toEqual(['admin', 'admin']);
    await instance.partners.prepareTokens({ operator: 'chosen' });
    expect((await instance.partners.accounts.tokens.list({})).items).toHaveLength(3);
  });

  it('gives a revoked token nothing back', async () => {
    const instance = await open();
    await instance.partners.prepareTokens({ operator: 'chosen' });
    const { id } = await operatorOf(instance, 'Bearer chosen');
    await instance.partners.accounts.tokens.revoke('test', id);
    await instance.partners.prepareTokens({ operator: 'chosen' });
    expect(await useOf(instance, 'chosen')).toBe('revoked');
  });
});

describe('a token', () => {
  it('is stored as a keyed hash alone, of another key than API keys', async () => {
    const { partners, pool, secrets } = await open();
    const { token } = await partners.accounts.tokens.add('test', { role: 'ops' });
    const { rows } = await pool.query<{ text: string }>(
      'SELECT t::text AS text FROM operator_tokens t UNION ALL SELECT a::text FROM audit_trail a',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(token);
    expect(rows.map(({ text }) => text).join()).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows).toHaveLength(2);
    const elsewhere = await refusal(partners.authenticate(token, FROM));
    expect([elsewhere, secrets.derive('api keys').equals(secrets.derive('operator tokens'))]).toEqual([
      'unknown',
      false,
    ]);
  });

  it('is taken whatever the case of its scheme', async () => {
    const instance = await open();
    const { token, id } = await instance.partners.accounts.tokens.add('test', { role: 'ops', name: 'Night' });
    expect(await operatorOf(instance, `bearer   ${token} `)).toEqual({ id, role: 'ops', name: 'Night' });
  });

  it('is expired before it is revoked', async () => {
    const instance = await open();
    const { tokens } = instance.partners.accounts;
    const { id, token } = await tokens.add('test', { role: 'ops', expires_at: new Date(Date.now() - 1) });
    await tokens.revoke('test', id);
    expect(await useOf(instance, token)).toBe('invalid');
  });

  it('costs the database no question per request', async () => {
    const instance = await open();
    const { token } = await instance.partners.accounts.tokens.add('test', { role: 'ops' });
    let questions = 0;
    instance.pool.on('acquire', () => {
      questions += 1;
    });
    for (let request = 0; request < 1_000; request += 1) await roleOf(instance, token);
    expect(questions).toBeLessThan(10);
  });
});

describe('a revoked token', () => {
  it('stops at once where it was revoked, and within a second elsewhere, told or not', async () => {
    const [one, two] = [await open(), await open()];
    const { id, token } = await one.partners.accounts.tokens.add('test', { role: 'ops' });
    await one.pool.query('ALTER TABLE operator_tokens DISABLE TRIGGER operator_tokens_changed');
    await untilListening(one.pool, 2);
    expect(await Promise.all([one, two].map((instance) => useOf(instance, token)))).toEqual(['let in', 'let in']);
    await one.partners.accounts.tokens.revoke('test', id);
    const [here, elsewhere] = [one, two].map((instance) => async () => (await useOf(instance, token)) !== 'let in');
    expect(await here?.()).toBe(true);
    expect(await secondsUntil(elsewhere ?? (() => Promise.resolve(false)))).toBeLessThan(1);
  });

  it('stops almost at once where the notice arrives', async () => {
    const [one, two] = [await open(), await open()];
    const { id, token } = await one.partners.accounts.tokens.add('test', { role: 'ops' });
    await untilListening(one.pool, 2);
    const refused = async () => (await useOf(two, token)) !== 'let in';
    expect(await refused()).toBe(false);
    await one.partners.accounts.tokens.revoke('test', id);
    expect(await secondsUntil(refused)).toBeLessThan(0.4);
  });
});
