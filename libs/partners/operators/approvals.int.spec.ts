import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import type { Allowed, Operator, OperatorRole } from './operator.ts';

const database = databasePerTest(migrations);

let at: TestPartners;
let asker: Operator;

const open = async (personSeconds = 3_600): Promise<TestPartners> =>
  database.closing(await openTestPartners(database.url, undefined, { fourEyes: true, personSeconds }));

/** As the provider tells of somebody when he signs in. */
const signIn = async (subject: string, role: OperatorRole): Promise<Operator> => {
  const known = await at.partners.knowPerson({ subject, name: subject, role });
  if (known.outcome === 'revoked') throw new Error(`${subject} is shut out`);
  return known.operator;
};

const act = { operation: 'createToken', about: { path: '/operator/tokens' }, reason: 'a new colleague' };

const tryIt = async (): Promise<Allowed> => {
  const secret = await at.partners.sessions.begin(asker);
  const known = await at.partners.authenticateOperator(`Session ${secret}`);
  if (known.outcome === 'refused' || !known.operator.session) throw new Error('there is no session');
  return known.operator.session.allow(act);
};

const held = async (): Promise<number> => {
  const allowed = await tryIt();
  if (allowed.outcome !== 'held') throw new Error(`it is ${allowed.outcome}`);
  return allowed.approval;
};

const stateOf = async (id: number) => (await at.partners.approvals.item(id))?.state;

beforeEach(async () => {
  at = await open();
  const { id } = await at.partners.accounts.tokens.add('test', { role: 'admin', name: 'Asks' });
  asker = { id, role: 'admin', name: 'Asks' };
});

describe('an approval by somebody whom the provider has let in', () => {
  it('lets the act through while he is what he was', async () => {
    const id = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), id)).toBe('decided');
    await signIn('bob', 'admin');
    expect(await stateOf(id)).toBe('approved');
    expect(await tryIt()).toEqual({ outcome: 'approved' });
  });

  it('ends with his role: the act is asked for anew, and another may approve it', async () => {
    const id = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), id)).toBe('decided');
    await signIn('bob', 'ops');
    expect(await stateOf(id)).toBe('expired');
    const again = await held();
    expect(again).not.toBe(id);
    expect(await at.partners.approvals.approve(await signIn('carol', 'admin'), again)).toBe('decided');
    expect(await tryIt()).toEqual({ outcome: 'approved' });
  });

  it('ends, as his sessions do, once the provider gives him no role any more', async () => {
    const [id, bob, carol] = [await held(), await signIn('bob', 'admin'), await signIn('carol', 'admin')];
    const [his, hers] = [await at.partners.sessions.begin(bob), await at.partners.sessions.begin(carol)];
    expect(await at.partners.approvals.approve(bob, id)).toBe('decided');
    await at.partners.endPerson('bob');
    expect(await stateOf(id)).toBe('expired');
    expect(await at.partners.authenticateOperator(`Session ${his}`)).toMatchObject({ outcome: 'refused' });
    expect(await at.partners.authenticateOperator(`Session ${hers}`)).toMatchObject({ outcome: 'authenticated' });
    expect(await held()).not.toBe(id);
  });

  it('is on record as ended with his role, once', async () => {
    const [id, bob] = [await held(), await signIn('bob', 'admin')];
    await at.partners.sessions.begin(bob);
    expect(await at.partners.approvals.approve(bob, id)).toBe('decided');
    for (const subject of ['bob', 'bob', 'nobody']) await at.partners.endPerson(subject);
    const { rows } = await at.pool.query('SELECT * FROM audit_trail ORDER BY id DESC LIMIT 2');
    expect(rows).toMatchObject([
      {
        ...{ actor: 'operator bob', action: 'changed', subject: 'operator_token', subject_id: String(bob.id) },
        before: { sessions: 1, approved: [id] },
        after: { sessions: 0, approved: [], reason: 'the provider gives no role any more' },
      },
      { subject: 'approval', subject_id: String(id) },
    ]);
  });

  it('stays where he has become an admin, who may do all of it', async () => {
    const id = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'ops'), id)).toBe('decided');
    await signIn('bob', 'admin');
    expect(await tryIt()).toEqual({ outcome: 'approved' });
  });

  it('holds no longer than what the provider said of him; by a token it holds for half an hour', async () => {
    at = await open(60);
    const minutes = async (id: number): Promise<number> => {
      const { expires_at, decided_at } = (await at.partners.approvals.item(id)) ?? {};
      return (Date.parse(expires_at ?? '') - Date.parse(decided_at ?? '')) / 60_000;
    };
    const id = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), id)).toBe('decided');
    expect(await minutes(id)).toBe(1);
    expect(await tryIt()).toEqual({ outcome: 'approved' });
    const again = await held();
    const { id: token } = await at.partners.accounts.tokens.add('test', { role: 'admin', name: 'Token' });
    expect(await at.partners.approvals.approve({ id: token, role: 'admin', name: 'Token' }, again)).toBe('decided');
    expect(await minutes(again)).toBe(30);
  });

  it('of a release that did not keep the role stands as it did', async () => {
    const id = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), id)).toBe('decided');
    await at.pool.query('UPDATE approvals SET decided_role = NULL');
    await signIn('bob', 'ops');
    expect(await tryIt()).toEqual({ outcome: 'approved' });
  });
});
