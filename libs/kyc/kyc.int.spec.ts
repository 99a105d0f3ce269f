import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import type { PlayerToCheck } from './index.ts';
import { kycTables, openTestKyc, type TestClock, type TestKyc, testClock } from './testing/index.ts';

const FROM = '192.0.2.1';

const MINUTE = 60_000;
const REQUIRED = {
  outcome: 'kyc_required',
  message: 'Identity verification required. A verification link was sent by SMS.',
};
const CONFIRM = {
  outcome: 'kyc_required',
  message: 'An existing account was found. A confirmation link was sent by SMS.',
};
const PENDING = { outcome: 'kyc_pending', message: 'Identity verification is pending.' };
const VERIFIED = { outcome: 'verified', contactRef: expect.stringMatching(/^[0-9a-f-]{36}$/) };

const database = databasePerFile(...kycTables);
let clock: TestClock;
let one: TestKyc;
let other: TestKyc;
let casino: { affiliateId: number; entityId: number };

beforeAll(async () => {
  clock = testClock();
  one = database.closing(await openTestKyc(database.url, clock));
  other = database.closing(await openTestKyc(database.url, clock));
});

beforeEach(async () => {
  await one.pool.query(`ALTER TABLE audit_trail DISABLE TRIGGER USER;
    TRUNCATE limit_windows, kyc_disowned_phones, outgoing_messages, kyc_links, kyc_players, kyc_identities, kyc_contacts, audit_trail`);
  await one.kyc.setServiceAvailable(true, 'test');
  casino = await one.newCasino();
});

const player = (changes: Partial<PlayerToCheck> = {}): PlayerToCheck => ({
  ...casino,
  gamblerRef: 'g-1',
  phone: '+46700000001',
  email: null,
  ...changes,
});

const check = (changes: Partial<PlayerToCheck> = {}, at = one) => at.kyc.checkPlayer(player(changes));

const set = (
  kyc: 'none' | 'pending' | 'verified' | 'rejected',
  { gamblerRef = 'g-1', phone }: { gamblerRef?: string; phone?: string } = {},
) => one.kyc.setPlayer({ entityId: casino.entityId, gamblerRef, kyc, phone: phone ?? null }, 'operator token 1');

const sent = async (gamblerRef = 'g-1') => (await one.messages.list({ gamblerRef })).items;

const newestToken = async (gamblerRef = 'g-1'): Promise<string> => {
  const [message] = await sent(gamblerRef);
  return message?.link?.split('/kyc/')[1] ?? '';
};

const contactRefOf = async (changes: Partial<PlayerToCheck> = {}): Promise<string> => {
  const checked = await check(changes);
  if (checked.outcome !== 'verified') throw new Error(`the player is not verified but ${checked.outcome}`);
  return checked.contactRef;
};

describe('an unknown player', () => {
  it('gets a link by SMS, submits it, is pending for a moment, and then verified', async () => {
    expect(await check()).toEqual(REQUIRED);
    const [message] = await sent();
    expect(message).toMatchObject({ kind: 'sms', to: '+46700000001' });
    expect(message?.link).toMatch(/^http:\/\/till\.example\/kyc\/[\w-]{43}$/);
    expect(message?.text).toContain(message?.link);
    expect(await one.kyc.takeLink(await newestToken(), FROM)).toEqual({ outcome: 'submitted' });
    clock.pass(1_999);
    expect(await check()).toEqual(PENDING);
    clock.pass(1);
    expect(await check({}, other)).toEqual(VERIFIED);
    expect(await sent()).toHaveLength(1);
  });

  it('gets no second SMS within a minute, and after it a new link that alone works', async () => {
    await check();
    clock.pass(MINUTE - 1);
    expect(await check()).toEqual(REQUIRED);
    expect(await sent()).toHaveLength(1);
    const first = await newestToken();
    clock.pass(1);
    expect(await check()).toEqual(REQUIRED);
    expect(await sent()).toHaveLength(2);
    expect(await one.kyc.takeLink(first, FROM)).toEqual({ outcome: 'replaced' });
    expect(await one.kyc.takeLink(await newestToken(), FROM)).toEqual({ outcome: 'submitted' });
  });

  it('cannot be used to flood a phone: of many players with one phone 30 an hour get a link, and the others are told', async () => {
    const checks = [];
    for (let nth = 0; nth < 35; nth++) checks.push(await check({ gamblerRef: `g-${nth}` }));
    expect(checks.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => REQUIRED));
    expect(checks.slice(30).every((each) => 'message' in each && each.message.includes('Too many links'))).toBe(true);
    expect((await one.messages.list({ phone: '+46700000001' })).items).toHaveLength(30);
    expect(await check({ gamblerRef: 'g-elsewhere', phone: '+46700000002' })).toEqual(REQUIRED);
    clock.pass(60 * MINUTE);
    expect(await check({ gamblerRef: 'g-34' })).toEqual(REQUIRED);
  });

  it('gets one SMS, however many calls come at once on however many instances', async () => {
    const callsAtOnce = () => Promise.all(Array.from({ length: 20 }, (_, nth) => check({}, nth % 2 ? one : other)));
    expect(new Set((await callsAtOnce()).map(({ outcome }) => outcome))).toEqual(new Set(['kyc_required']));
    expect(await sent()).toHaveLength(1);
    clock.pass(MINUTE);
    expect(new Set((await callsAtOnce()).map(({ outcome }) => outcome))).toEqual(new Set(['kyc_required']));
    expect(await sent()).toHaveLength(2);
  });
});

describe('a link', () => {
  it('works once, also for two who come together', async () => {
    await check();
    const token = await newestToken();
    const uses = await Promise.all([
      one.kyc.takeLink(token, FROM),
      other.kyc.takeLink(token, FROM),
      one.kyc.takeLink(token, FROM),
    ]);
    expect(uses.map(({ outcome }) => outcome).sort()).toEqual(['submitted', 'used', 'used']);
  });

  it('works for 24 hours', async () => {
    await check();
    const token = await newestToken();
    clock.pass(24 * 60 * MINUTE - 1);
    expect(await one.kyc.lookAtLink(token, FROM)).toMatchObject({ outcome: 'open', purpose: 'verify' });
    clock.pass(1);
    expect(await one.kyc.takeLink(token, FROM)).toEqual({ outcome: 'expired' });
    expect(await check()).toEqual(REQUIRED);
    expect(await sent()).toHaveLength(2);
  });

  it('changes nothing when it is only looked at, and an invented one names nobody', async () => {
    await check();
    const token = await newestToken();
    await one.kyc.lookAtLink(token, FROM);
    expect(await one.kyc.takeLink(token, FROM)).toEqual({ outcome: 'submitted' });
    expect(await one.kyc.lookAtLink('nonsense', FROM)).toEqual({ outcome: 'unknown' });
  });

  it('is stored as a hash alone', async () => {
    await check();
    const token = await newestToken();
    const { rows } = await one.pool.query<{ row: string }>('SELECT kyc_links::text AS row FROM kyc_links');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(token);
  });
});

describe('a phone that already belongs to a verified identity', () => {
  const phone = '+46700000009';

  it('gets a confirmation link, and confirming verifies the pair at once', async () => {
    await set('verified', { gamblerRef: 'g-old', phone });
    expect(await check({ phone })).toEqual(CONFIRM);
    expect(await one.kyc.lookAtLink(await newestToken(), FROM)).toMatchObject({ outcome: 'open', purpose: 'confirm' });
    expect(await one.kyc.takeLink(await newestToken(), FROM)).toEqual({ outcome: 'confirmed' });
    expect(await check({ phone })).toEqual(VERIFIED);
  });

  it('is known in every casino of the affiliate, and in no other affiliate', async () => {
    await set('verified', { gamblerRef: 'g-old', phone });
    const sister = await one.newCasino(casino.affiliateId);
    const stranger = await one.newCasino();
    expect(await check({ ...sister, gamblerRef: 'g-2', phone })).toEqual(CONFIRM);
    expect(await check({ ...stranger, gamblerRef: 'g-3', phone })).toEqual(REQUIRED);
  });

  it('is recognised however it is written', async () => {
    await set('verified', { gamblerRef: 'g-old', phone });
    expect(await check({ phone: '+46 70-000 00 09' })).toEqual(CONFIRM);
  });

  it('counts as soon as the simulated provider is done', async () => {
    await check({ gamblerRef: 'g-old', phone });
    await one.kyc.takeLink(await newestToken('g-old'), FROM);
    expect(await check({ gamblerRef: 'g-early', phone })).toEqual(REQUIRED);
    clock.pass(2_000);
    expect(await check({ phone })).toEqual(CONFIRM);
  });

  it('confirms nobody once the account that was found has lost its verification', async () => {
    await set('verified', { gamblerRef: 'g-old', phone });
    await check({ phone });
    await set('rejected', { gamblerRef: 'g-old' });
    expect(await one.kyc.takeLink(await newestToken(), FROM)).toEqual({ outcome: 'replaced' });
    expect(await check({ phone })).toEqual(REQUIRED);
  });
});

describe('what an operator sets', () => {
  it('makes the player, and answers with what stands', async () => {
    expect(await set('verified', { phone: '+1' })).toEqual({
      entityId: casino.entityId,
      gamblerRef: 'g-1',
      kyc: 'verified',
      phone: '+1',
    });
    expect(await check()).toEqual(VERIFIED);
    expect(await set('none')).toMatchObject({ kyc: 'none', phone: '+46700000001' });
    expect(await one.kyc.setPlayer({ entityId: 999_999, gamblerRef: 'g', kyc: 'none' }, 'test')).toBeUndefined();
  });

  it('sends a rejected player a new link at once, which no confirmation can stand in for', async () => {
    await set('verified', { gamblerRef: 'g-old', phone: '+46700000001' });
    await check();
    await set('rejected');
    expect(await check()).toEqual(REQUIRED);
    expect(await sent()).toHaveLength(2);
    expect(await check()).toEqual(REQUIRED);
    expect(await sent()).toHaveLength(2);
    clock.pass(MINUTE);
    expect(await check()).toEqual(REQUIRED);
    await one.kyc.takeLink(await newestToken(), FROM);
    clock.pass(2_000);
    expect(await check()).toEqual(VERIFIED);
  });

  it('leaves a player pending for ever', async () => {
    await set('pending');
    clock.pass(30 * 24 * 60 * MINUTE);
    expect(await check()).toEqual(PENDING);
    expect(await sent()).toEqual([]);
  });

  it('closes the link that was sent before', async () => {
    await check();
    await set('pending');
    expect(await one.kyc.takeLink(await newestToken(), FROM)).toEqual({ outcome: 'replaced' });
    expect(await check()).toEqual(PENDING);
  });

  it('is recorded without the phone', async () => {
    await set('verified', { phone: '+46700000001' });
    const { rows } = await one.pool.query<{ actor: string; subject_id: string; before: object; after: object }>(
      "SELECT actor, subject_id, before, after FROM audit_trail WHERE subject = 'player'",
    );
    expect(rows).toEqual([
      {
        actor: 'operator token 1',
        subject_id: `${casino.entityId}/g-1`,
        before: { kyc: 'none' },
        after: { kyc: 'verified', phone_changed: true },
      },
    ]);
  });

  it('takes the check out of service for everybody on every instance, verified players too', async () => {
    await set('verified', { phone: '+46700000001' });
    await one.kyc.setServiceAvailable(false, 'operator token 1');
    expect(await check()).toEqual({ outcome: 'unavailable' });
    expect(await check({ gamblerRef: 'g-2' }, other)).toEqual({ outcome: 'unavailable' });
    expect(await sent('g-2')).toEqual([]);
    await one.kyc.setServiceAvailable(true, 'operator token 1');
    expect(await check({}, other)).toEqual(VERIFIED);
  });

  it('records that the check was taken out of service, and not that it stayed so', async () => {
    for (const available of [true, false, false, true, true])
      await one.kyc.setServiceAvailable(available, 'operator token 1');
    const { rows } = await one.pool.query(
      "SELECT before, after FROM audit_trail WHERE subject = 'kyc_service' AND actor = 'operator token 1' ORDER BY id",
    );
    expect(rows).toEqual([
      { before: { available: true }, after: { available: false } },
      { before: { available: false }, after: { available: true } },
    ]);
  });
});

describe('the contact of a player', () => {
  beforeEach(() => set('verified'));

  it('is one for each phone and e-mail, whoever asks first', async () => {
    const both = await Promise.all([check(), check({}, other), check(), check({}, other)]);
    expect(new Set(both.map((each) => JSON.stringify(each))).size).toBe(1);
    const first = await contactRefOf();
    expect(await contactRefOf({ phone: '+1' })).not.toBe(first);
    expect(await contactRefOf()).toBe(first);
  });

  it('keeps an e-mail that an earlier call told', async () => {
    const told = await contactRefOf({ email: 'player@mail.example' });
    expect(await contactRefOf({ email: null })).toBe(told);
    const moved = await contactRefOf({ email: null, phone: '+1' });
    expect(await one.kyc.contactOf(moved)).toMatchObject({
      phone: '+1',
      email: 'player@mail.example',
      gamblerRef: 'g-1',
    });
  });

  it('keeps an e-mail that came before the player was verified', async () => {
    await check({ gamblerRef: 'g-2', email: 'two@mail.example' });
    await set('verified', { gamblerRef: 'g-2', phone: '+46700000001' });
    const contact = await one.kyc.contactOf(await contactRefOf({ gamblerRef: 'g-2' }));
    expect(contact).toMatchObject({ email: 'two@mail.example' });
  });

  it('costs a verified player one question to the database', async () => {
    await contactRefOf({ email: 'player@mail.example' });
    const asked: unknown[] = [];
    const { pool } = one;
    pool.on('acquire', () => asked.push('connection'));
    await contactRefOf();
    expect(asked).toHaveLength(1);
  });

  it('can be erased with the messages, while the player stays verified', async () => {
    const gone = await contactRefOf({ email: 'player@mail.example' });
    await check({ gamblerRef: 'g-2' });
    await one.kyc.eraseContacts({ entityId: casino.entityId, gamblerRef: 'g-2' }, 'operator token 1');
    await one.kyc.eraseContacts({ entityId: casino.entityId, gamblerRef: 'g-1' }, 'operator token 1');
    expect(await one.kyc.contactOf(gone)).toBeUndefined();
    expect(await sent('g-2')).toEqual([]);
    const tables = ['kyc_contacts', 'kyc_identities', 'kyc_links', 'outgoing_messages', 'audit_trail'];
    for (const table of tables) {
      const { rows } = await one.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      expect(rows.filter(({ row }) => /46700000001|player@mail/.test(row))).toEqual([]);
    }
    const fresh = await contactRefOf();
    expect(fresh).not.toBe(gone);
    expect(await one.kyc.contactOf(fresh)).toMatchObject({ email: null });
  });
});
