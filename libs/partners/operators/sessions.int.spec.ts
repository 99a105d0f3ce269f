import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import { refusal } from '../testing/refusal.ts';
import { secondsUntil, untilListening } from '../testing/until.ts';
import type { ConsoleSession, Operator } from './operator.ts';

const FROM = '192.0.2.1';

const database = databasePerTest(migrations);

let one: TestPartners;
let operator: Operator;
let secret: string;

const open = async (): Promise<TestPartners> => database.closing(await openTestPartners(database.url));

const useOf = ({ partners }: TestPartners): Promise<string> =>
  refusal(partners.authenticateOperator({ session: secret }, FROM));

const sessionOf = async ({ partners }: TestPartners): Promise<ConsoleSession> => {
  partners.forget();
  const known = await partners.authenticateOperator({ session: secret }, FROM);
  if (known.outcome === 'refused' || !known.operator.session) throw new Error('there is no session');
  return known.operator.session;
};

const setBack = async (column: string, by: string): Promise<void> => {
  await one.pool.query(`UPDATE console_sessions SET ${column} = now() - $1::interval`, [by]);
  one.partners.forget();
};

beforeEach(async () => {
  one = await open();
  const { id } = await one.partners.accounts.tokens.add('test', { role: 'ops', name: 'Night' });
  operator = { id, role: 'ops', name: 'Night' };
  secret = await one.partners.sessions.begin(operator);
});

describe('a session of the console', () => {
  it('is of the operator whose token was shown, on every instance, and stored as a keyed hash alone', async () => {
    const two = await open();
    for (const { partners } of [one, two]) {
      const known = await partners.authenticateOperator({ session: secret }, FROM);
      expect(known).toMatchObject({ outcome: 'authenticated', operator });
    }
    const { rows } = await one.pool.query<{ text: string }>('SELECT s::text AS text FROM console_sessions s');
    expect(rows[0]?.text).not.toContain(secret);
    expect(rows[0]?.text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('is no token, and no token is a session', async () => {
    expect(await refusal(one.partners.authenticateOperator(`Bearer ${secret}`, FROM))).toBe('invalid');
    const { token } = await one.partners.accounts.tokens.add('test', { role: 'ops' });
    expect(await refusal(one.partners.authenticateOperator({ session: token }, FROM))).toBe('invalid');
    expect(await refusal(one.partners.authenticateOperator(`Session ${secret}`, FROM))).toBe('missing');
  });

  it.each([
    ['seen_at', '14 minutes 59 seconds', 'let in'],
    ['seen_at', '15 minutes', 'invalid'],
    ['created_at', '11 hours 59 minutes', 'let in'],
    ['created_at', '12 hours', 'invalid'],
  ])('with its %s %s ago is %s', async (column, by, came) => {
    await setBack(column, by);
    expect(await useOf(one)).toBe(came);
  });

  it.each([
    ['14 minutes 59 seconds', 'let in', 'let in'],
    ['15 minutes', 'invalid', 'let in'],
  ])(
    'of a person of the provider, begun %s ago, is %s where it knows him for 15 minutes; of a token it is %s',
    async (by, ofPerson, ofToken) => {
      const short = database.closing(await openTestPartners(database.url, undefined, { personSeconds: 900 }));
      const person = { subject: 'alice of https://id.example', name: 'Alice', role: 'ops' } as const;
      const known = await short.partners.knowPerson(person);
      if (known.outcome !== 'known') throw new Error('she is not known');
      const hers = await short.partners.sessions.begin(known.operator);
      await setBack('created_at', by);
      short.partners.forget();
      expect(await refusal(short.partners.authenticateOperator({ session: hers }, FROM))).toBe(ofPerson);
      expect(await useOf(short)).toBe(ofToken);
    },
  );

  it('goes on while somebody does something', async () => {
    await setBack('seen_at', '10 minutes');
    await (await sessionOf(one)).touch();
    const { rows } = await one.pool.query(
      "SELECT now() - seen_at < interval '1 minute' AS fresh FROM console_sessions",
    );
    expect(rows).toEqual([{ fresh: true }]);
  });

  it('is not brought back once it is over', async () => {
    const session = await sessionOf(one);
    await setBack('seen_at', '16 minutes');
    await session.touch();
    expect(await useOf(one)).toBe('invalid');
  });

  it('ends at once where somebody signs out', async () => {
    await one.partners.sessions.end(secret, FROM);
    expect(await useOf(one)).toBe('invalid');
  });

  it('ends with its token, within a second also where nobody was told', async () => {
    const two = await open();
    await one.pool.query('ALTER TABLE operator_tokens DISABLE TRIGGER operator_tokens_changed');
    await untilListening(one.pool, 2);
    expect(await useOf(two)).toBe('let in');
    await one.partners.accounts.tokens.revoke('test', operator.id);
    expect(await useOf(one)).toBe('revoked');
    expect(await secondsUntil(async () => (await useOf(two)) === 'revoked')).toBeLessThan(1);
  });

  it('counts the token as shown for five minutes, and anew when it is shown again', async () => {
    expect((await sessionOf(one)).confirmed).toBe(true);
    await setBack('confirmed_at', '5 minutes');
    expect((await sessionOf(one)).confirmed).toBe(false);
    await one.partners.sessions.confirm(secret);
    expect((await sessionOf(one)).confirmed).toBe(true);
  });

  it('takes what is sent once, whichever instance it comes to, and keeps that for a day', async () => {
    const two = await open();
    const take = async (at: TestPartners, attempt: string) => (await sessionOf(at)).take(attempt);
    const took = await Promise.all([one, two, one, two].map((at) => take(at, 'one click')));
    expect(took.filter(Boolean)).toHaveLength(1);
    expect(await take(two, 'another click')).toBe(true);
    await (await sessionOf(one)).giveBack('another click');
    expect([await take(two, 'another click'), await take(one, 'another click')]).toEqual([true, false]);
    await one.pool.query(
      "UPDATE console_attempts SET taken_at = now() - interval '25 hours' WHERE attempt = 'one click'",
    );
    await one.partners.sessions.begin(operator);
    const { rows } = await one.pool.query('SELECT attempt FROM console_attempts');
    expect(rows).toEqual([{ attempt: 'another click' }]);
  });

  it('puts what is about to be done into the trail, with the reason', async () => {
    const about = { path: '/operator/deposits/7/kyt-review' };
    await (await sessionOf(one)).allow({
      operation: 'reviewKyt',
      about,
      reason: 'papers were shown',
      roles: ['admin'],
    });
    const { items } = await one.partners.accounts.auditTrail({});
    expect(items[0]).toMatchObject({
      actor: `operator token ${operator.id}`,
      subject: 'operation',
      subject_id: 'reviewKyt',
      after: { ...about, reason: 'papers were shown' },
    });
  });

  it('leaves no row behind once another begins', async () => {
    await setBack('seen_at', '1 hour');
    await one.partners.sessions.begin(operator);
    expect((await one.pool.query('SELECT FROM console_sessions')).rowCount).toBe(1);
  });
});
