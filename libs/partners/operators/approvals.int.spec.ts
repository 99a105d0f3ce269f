import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import type { Act, Allowed, Operator, OperatorRole } from './operator.ts';

const FROM = '192.0.2.1';

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

const act = {
  operation: 'createToken',
  about: { path: '/operator/tokens' },
  reason: 'a new colleague',
  roles: ['admin'] as const,
};

const tryIt = async (wanted: Act = act): Promise<Allowed> => {
  const secret = await at.partners.sessions.begin(asker);
  const known = await at.partners.authenticateOperator({ session: secret }, FROM);
  if (known.outcome === 'refused' || !known.operator.session) throw new Error('there is no session');
  return known.operator.session.allow(wanted);
};

const heldOf = async (wanted: Act): Promise<number> => {
  const allowed = await tryIt(wanted);
  if (allowed.outcome !== 'held') throw new Error(`it is ${allowed.outcome}`);
  return allowed.approval;
};

const held = (): Promise<number> => heldOf(act);

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
    expect(await at.partners.authenticateOperator({ session: his }, FROM)).toMatchObject({ outcome: 'refused' });
    expect(await at.partners.authenticateOperator({ session: hers }, FROM)).toMatchObject({ outcome: 'authenticated' });
    expect(await held()).not.toBe(id);
  });

  it('comes back to life with no role that he is given again', async () => {
    const fallen = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), fallen)).toBe('decided');
    const bob = await signIn('bob', 'ops');
    const { rows } = await at.pool.query("SELECT * FROM audit_trail WHERE after ? 'approved' ORDER BY id DESC LIMIT 1");
    expect(rows).toMatchObject([
      {
        ...{ actor: 'operator bob', subject: 'operator_token', subject_id: String(bob.id) },
        ...{ before: { approved: [fallen] }, after: { approved: [], reason: 'the provider gives another role' } },
      },
    ]);
    await signIn('bob', 'admin');
    expect(await stateOf(fallen)).toBe('expired');
    const lost = await held();
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), lost)).toBe('decided');
    await at.partners.endPerson('bob');
    await signIn('bob', 'admin');
    expect(await stateOf(lost)).toBe('expired');
  });

  it('is given by nobody whose role is taken, or is another, since his session was looked at', async () => {
    const id = await held();
    const bob = await signIn('bob', 'admin');
    await signIn('bob', 'ops');
    expect(await at.partners.approvals.approve(bob, id)).toBe('unentitled');
    await signIn('bob', 'admin');
    await at.partners.endPerson('bob');
    expect(await at.partners.approvals.approve(bob, id)).toBe('unentitled');
    expect(await at.partners.approvals.refuse(bob, id)).toBe('unentitled');
    const { id: token } = await at.partners.accounts.tokens.add('test', { role: 'admin', name: 'Gone' });
    await at.partners.accounts.tokens.revoke('test', token);
    expect(await at.partners.approvals.approve({ id: token, role: 'admin', name: 'Gone' }, id)).toBe('unentitled');
    expect(await stateOf(id)).toBe('asked');
    expect(await at.partners.approvals.approve(await signIn('bob', 'admin'), id)).toBe('decided');
  });

  it('ends also where it is given at the moment at which his role is taken', async () => {
    const given = await Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        const [subject, reason] = [`eve-${nth}`, { ...act, about: { path: `/operator/tokens?${nth}` } }];
        const [id, eve] = [await heldOf(reason), await signIn(subject, 'admin')];
        await Promise.all([at.partners.approvals.approve(eve, id), at.partners.endPerson(subject)]);
        await signIn(subject, 'admin');
        return stateOf(id);
      }),
    );
    expect(given).not.toContain('approved');
  });

  it('is known to be taken at every instance at once', async () => {
    const other = await open();
    const bob = await signIn('bob', 'admin');
    const session = await at.partners.sessions.begin(bob);
    expect(await other.partners.authenticateOperator({ session }, FROM)).toMatchObject({ outcome: 'authenticated' });
    const client = await at.pool.connect();
    const told = new Promise((resolve) => void client.on('notification', resolve));
    await client.query('LISTEN partners_changed');
    await at.partners.endPerson('bob');
    expect(await told).toMatchObject({ channel: 'partners_changed' });
    client.release(true);
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
    const ofSession = await held();
    const secret = await at.partners.sessions.begin(await signIn('bob', 'admin'));
    await at.pool.query("UPDATE console_sessions SET created_at = now() - interval '30 seconds'");
    const bob = await at.partners.authenticateOperator({ session: secret }, FROM);
    if (bob.outcome === 'refused') throw new Error('bob is not let in');
    expect(await at.partners.approvals.approve(bob.operator, ofSession)).toBe('decided');
    expect(Math.round((await minutes(ofSession)) * 10)).toBeLessThanOrEqual(5);
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
