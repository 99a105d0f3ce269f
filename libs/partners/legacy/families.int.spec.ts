import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations, pruneTokens } from '../index.ts';
import { done } from '../testing/done.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';

const database = databasePerTest(migrations);
const [FROM, DAY_MS] = ['192.0.2.1', 86_400_000];
let opened: TestPartners;
let affiliateId: number;

beforeEach(async () => {
  opened = database.closing(await openTestPartners(database.url));
  affiliateId = (await opened.partners.accounts.affiliates.add('test', { name: 'Northern' })).id;
});

const tokens = () => opened.partners.accounts.accessTokens;

const issue = (expiresAt: Date | null) => done(tokens().issue('test', { affiliateId, expiresAt }));

const refresh = (refreshToken: string) => opened.partners.legacyTokens.refresh(refreshToken, FROM);

const pairOf = async (refreshToken: string) => {
  const refreshed = await refresh(refreshToken);
  if (refreshed.outcome === 'refused') throw new Error('not refreshed');
  return refreshed.pair;
};

/** As if all that is there had been made so long ago. */
const age = async (days: number): Promise<void> => {
  const by = `interval '${days} days'`;
  await opened.pool.query(`UPDATE access_tokens SET created_at = created_at - ${by}, expires_at = expires_at - ${by}`);
  await opened.pool.query(`UPDATE refresh_tokens SET created_at = created_at - ${by}, used_at = used_at - ${by}`);
  await opened.pool.query(`UPDATE token_families SET created_at = created_at - ${by}`);
};

const prune = () => pruneTokens(opened.pool, 90);

const listed = async () => (await tokens().list({ affiliateId, limit: 10 }))?.items ?? [];

const livesDays = async (id: number): Promise<number> => {
  const item = await tokens().item({ affiliateId, id });
  if (!item?.expires_at) throw new Error('it never ends');
  return (Date.parse(String(item.expires_at)) - Date.now()) / DAY_MS;
};

describe('a refresh token that nobody used until the access tokens of its issue were let go', () => {
  it('buys one that lives as long as the operator let the first one live', async () => {
    const { refresh_token } = await issue(new Date(Date.now() + 30 * DAY_MS));
    await age(200);
    await prune();
    const { id, refreshToken } = await pairOf(refresh_token);
    expect(await livesDays(id)).toBeCloseTo(30, 2);
    await age(200);
    await prune();
    expect(await livesDays((await pairOf(refreshToken)).id)).toBeCloseTo(30, 2);
  });

  it('buys one that lives an hour, where the first one had no life', async () => {
    const { refresh_token } = await issue(new Date(0));
    await age(200);
    await prune();
    expect(await livesDays((await pairOf(refresh_token)).id)).toBeCloseTo(1 / 24, 2);
  });

  it('stands in the list of operators by the token that was issued, and is revoked by it', async () => {
    const { id, refresh_token } = await issue(new Date(Date.now() + 30 * DAY_MS));
    const second = await pairOf(refresh_token);
    await age(200);
    await prune();
    expect(await listed()).toMatchObject([{ id, status: 'active' }]);
    expect(await tokens().revoke('test', { affiliateId, id })).toMatchObject({ outcome: 'applied' });
    expect((await refresh(second.refreshToken)).outcome).toBe('refused');
    await prune();
    expect(await listed()).toEqual([]);
  });
});

describe('a refresh token that was used', () => {
  const kept = async () => (await opened.pool.query('SELECT FROM refresh_tokens WHERE used_at IS NOT NULL')).rowCount;

  it('revokes its issue by a second use for as long from the first one on, however old it was by then', async () => {
    const { refresh_token } = await issue(null);
    await age(200);
    const stolen = await pairOf(refresh_token);
    await prune();
    await age(80);
    await prune();
    expect((await refresh(refresh_token)).outcome).toBe('refused');
    expect((await refresh(stolen.refreshToken)).outcome).toBe('refused');
  });

  it('is let go then', async () => {
    const { refresh_token } = await issue(null);
    await age(200);
    await pairOf(refresh_token);
    await age(89);
    await prune();
    expect(await kept()).toBe(1);
    await age(2);
    await prune();
    expect(await kept()).toBe(0);
  });
});
