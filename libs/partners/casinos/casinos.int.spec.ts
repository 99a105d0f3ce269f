import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { isEnabled, migrations, UNREADABLE, type WebhookTarget } from '../index.ts';
import { done } from '../testing/done.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import { refusal } from '../testing/refusal.ts';
import { secondsUntil, untilListening } from '../testing/until.ts';

const database = databasePerFile(migrations);
let here: TestPartners;
let elsewhere: TestPartners;

beforeAll(async () => {
  here = database.closing(await openTestPartners(database.url));
  elsewhere = database.closing(await openTestPartners(database.url));
});

const url = 'https://casino.example/';

const newCasino = async (fields: object = {}) => {
  const { affiliates, entities } = here.partners.accounts;
  const { id: affiliate_id } = await affiliates.add('test', { name: 'Northern' });
  return done(entities.add('test', { affiliate_id, name: 'Aurora', ...fields }));
};

const change = (id: number, sent: object) => here.partners.accounts.entities.change('test', { id, sent });

describe('a casino', () => {
  it('is known with all that a deposit needs of it', async () => {
    const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 }, { percent: true }, null];
    const { id, affiliate_id } = await newCasino({
      external_code: 'aurora',
      mode: 'test',
      instant_allowed: true,
      instant_caps: { first_usd: 0.1 },
      min_usd: 5.5,
      fees,
    });
    const nothing = { beneficiary: '', kind: '', paidBy: '', percent: '' };
    const expected: unknown = {
      id,
      affiliateId: affiliate_id,
      name: 'Aurora',
      externalCode: 'aurora',
      status: 'enabled',
      mode: 'test',
      noConfAllowed: false,
      instantAllowed: true,
      instantCaps: { firstUsd: '0.1', returningUsd: '1500', receivedFirstUsd: '600', receivedReturningUsd: '1600' },
      amountLimits: { minUsd: '5.5', maxUsd: null },
      fees: [{ beneficiary: 'BF', kind: 'FEE', paidBy: 'PLAYER', percent: 0.02 }, nothing, nothing],
    };
    expect(await here.partners.casino(id)).toEqual(expected);
    expect((await here.partners.casino((await newCasino()).id))?.fees).toBeNull();
    expect(await here.partners.casino(999_999)).toBeUndefined();
    expect(await here.partners.casino(2 ** 60)).toBeUndefined();
  });

  it('is as it was changed at once here, and within a second elsewhere, told or not', async () => {
    const { id } = await newCasino();
    await here.pool.query('ALTER TABLE entities DISABLE TRIGGER entities_changed');
    await untilListening(here.pool, 2);
    expect((await elsewhere.partners.casino(id))?.status).toBe('enabled');
    await change(id, { status: 'disabled' });
    expect((await here.partners.casino(id))?.status).toBe('disabled');
    const known = async () => (await elsewhere.partners.casino(id))?.status === 'disabled';
    expect(await secondsUntil(known)).toBeLessThan(1);
    await here.pool.query('ALTER TABLE entities ENABLE TRIGGER entities_changed');
  });

  it('is for keys that cover it: first the lock of the key, then the casino, then its status', async () => {
    const own = await newCasino({ status: 'disabled' });
    const other = await newCasino();
    const { casinoFor } = here.partners;
    const wide = { affiliateId: own.affiliate_id, entityId: null };
    const locked = { ...wide, entityId: own.id };
    const found = (status: string) => ({ outcome: 'found', casino: { id: own.id, status } });
    expect(await casinoFor(wide, own.id)).toMatchObject(found('disabled'));
    expect(await casinoFor(locked, own.id)).toMatchObject(found('disabled'));
    expect(await refusal(casinoFor(wide, other.id))).toBe('entity_not_found');
    expect(await refusal(casinoFor(wide, 999_999))).toBe('entity_not_found');
    expect(await refusal(casinoFor(locked, 999_999))).toBe('other_entity');
    const enabled = async () => {
      const casino = await here.partners.casino(own.id);
      return casino && isEnabled(casino);
    };
    expect(await enabled()).toBe(false);
    await change(own.id, { status: 'active' });
    expect(await enabled()).toBe(true);
    expect(await casinoFor(wide, own.id)).toMatchObject(found('active'));
  });
});

describe("a casino's webhook", () => {
  it('is its own, else that of a key locked to it, else of an affiliate-wide key in use', async () => {
    const { id, affiliate_id } = await newCasino();
    const { apiKeys } = here.partners.accounts;
    const target = () => here.partners.webhookOf(id);
    expect(await target()).toBeUndefined();
    const add = (fields: object) => done(apiKeys.add('test', { affiliate_id, ...fields }));
    const wide = await add({ webhook: { url: `${url}wide`, signed: false } });
    const base = { secret: null, previousSecrets: [], affiliateId: affiliate_id };
    expect(await target()).toEqual({ ...base, url: `${url}wide`, source: 'api_key', apiKeyId: wide.id });
    const locked = await add({ entity_id: id, webhook: { url: `${url}locked` } });
    const secret = locked.webhook_secret;
    expect(await target()).toEqual({ ...base, secret, url: `${url}locked`, source: 'api_key', apiKeyId: locked.id });
    await change(id, { webhook: { url: `${url}own`, secret: 'chosen' } });
    const own = { ...base, secret: 'chosen', url: `${url}own`, source: 'entity_override', apiKeyId: null };
    expect(await target()).toEqual(own);
    await change(id, { webhook: null });
    await apiKeys.change('test', { id: locked.id, sent: { status: 'inactive' } });
    expect((await target())?.apiKeyId).toBe(wide.id);
    await apiKeys.change('test', { id: wide.id, sent: { expires_at: new Date(Date.now() - 1000) } });
    expect(await target()).toBeUndefined();
  });

  const previous = (found: WebhookTarget | undefined) => found?.previousSecrets.map(({ secret }) => secret);

  it('has its old secrets too until their overlaps end', async () => {
    const { id, webhook_secret } = await newCasino({ webhook: { url } });
    const rotate = (overlapS: number) =>
      done(here.partners.accounts.rotateWebhookSecret('test', { table: 'entities', id, overlapS }));
    const second = await rotate(3600);
    const during = await elsewhere.partners.webhookOf(id);
    expect([during?.secret, previous(during)]).toEqual([second, [webhook_secret]]);
    const third = await rotate(1);
    const both = await here.partners.webhookOf(id);
    expect([both?.secret, previous(both)]).toEqual([third, [second, webhook_secret]]);
    const [short, running] = both?.previousSecrets ?? [];
    expect(running?.until).toEqual(during?.previousSecrets[0]?.until);
    expect(Number(short?.until)).toBeLessThan(Number(running?.until));
    const fourth = await rotate(0);
    expect(await here.partners.webhookOf(id)).toMatchObject({ secret: fourth, previousSecrets: [] });
  });

  it('is known where its secret cannot be opened, and is whole again with the next rotation', async () => {
    const { id } = await newCasino({ webhook: { url } });
    const other = await newCasino({ webhook: { url, secret: 'chosen' } });
    await here.pool.query("UPDATE entities SET webhook_secret = '\\x01ff' WHERE id = $1", [id]);
    const [damaged, whole] = await Promise.all([here.partners.webhookOf(id), here.partners.webhookOf(other.id)]);
    expect(damaged).toMatchObject({ url, secret: UNREADABLE, previousSecrets: [] });
    expect(whole).toMatchObject({ secret: 'chosen' });
    const rotated = await done(
      here.partners.accounts.rotateWebhookSecret('test', { table: 'entities', id, overlapS: 60 }),
    );
    expect(await here.partners.webhookOf(id)).toMatchObject({ secret: rotated, previousSecrets: [] });
  });

  it('is refused a ninth overlap beside those that are running', async () => {
    const { id } = await newCasino({ webhook: { url } });
    const rotate = (overlapS: number) =>
      here.partners.accounts.rotateWebhookSecret('test', { table: 'entities', id, overlapS });
    for (let n = 0; n < 8; n += 1) await done(rotate(3600));
    expect(await rotate(3600)).toMatchObject({ outcome: 'refused', refusal: { refusal: 'too_many_overlaps' } });
    await done(rotate(0));
    await done(rotate(3600));
  });

  it('is remembered, and forgotten with every change, on any instance', async () => {
    const { id } = await newCasino({ webhook: { url, signed: false } });
    const known = async () => [
      (await here.partners.known.webhookOf(id))?.url,
      (await elsewhere.partners.known.webhookOf(id))?.url,
    ];
    expect(await known()).toEqual([url, url]);
    await change(id, { webhook: { url: `${url}moved`, signed: false } });
    expect((await here.partners.known.webhookOf(id))?.url).toBe(`${url}moved`);
    expect(await secondsUntil(async () => (await known()).every((one) => one === `${url}moved`))).toBeLessThan(1);
  });

  it('has secrets that nobody can read in the tables', async () => {
    const webhook = { url, secret: 'a secret of the casino' };
    const { id, affiliate_id } = await newCasino({ webhook });
    await here.partners.accounts.apiKeys.add('test', { affiliate_id, webhook });
    await here.partners.accounts.rotateWebhookSecret('test', { table: 'entities', id, overlapS: 60 });
    for (const table of ['entities', 'api_keys', 'audit_trail']) {
      const { rows } = await here.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`);
      const text = rows.map((row) => row.text).join();
      expect(text).not.toContain(webhook.secret);
      expect(text).not.toContain(Buffer.from(webhook.secret).toString('hex'));
    }
    const { rows } = await here.pool.query<{ webhook_secret: Buffer }>(
      'SELECT webhook_secret FROM entities WHERE id = $1',
      [id],
    );
    expect(rows[0]?.webhook_secret.length).toBeGreaterThan(28);
  });

  it('cannot be an empty or a foreign URL, whoever writes it', async () => {
    const { id } = await newCasino();
    for (const wrong of ['', 'ftp://casino.example/']) {
      const write = here.pool.query('UPDATE entities SET webhook_url = $1 WHERE id = $2', [wrong, id]);
      await expect(write).rejects.toThrow('entities_webhook_url_check');
    }
  });

  it("of an affiliate as a whole is that of an affiliate-wide key in use, never a casino's own", async () => {
    const { id, affiliate_id } = await newCasino({ webhook: { url } });
    const { apiKeys } = here.partners.accounts;
    const add = (fields: object) => done(apiKeys.add('test', { affiliate_id, ...fields }));
    const target = () => here.partners.webhookOfAffiliate(affiliate_id);
    await add({ entity_id: id, webhook: { url: `${url}locked` } });
    expect(await target()).toBeUndefined();
    const wide = await add({ webhook: { url: `${url}wide` } });
    expect(await target()).toMatchObject({ url: `${url}wide`, secret: wide.webhook_secret, apiKeyId: wide.id });
    expect(await elsewhere.partners.known.webhookOfAffiliate(affiliate_id)).toEqual(await target());
    await apiKeys.change('test', { id: wide.id, sent: { status: 'inactive' } });
    expect(await target()).toBeUndefined();
  });
});
