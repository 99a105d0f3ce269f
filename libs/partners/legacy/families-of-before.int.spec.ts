import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '#platform/migrations';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { createKeyHash } from '../authentication/key-hash.ts';
import { migrations } from '../index.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';

/** The first that keeps with a family how long its tokens live. */
const SINCE = '0016';

const database = databasePerFile();
let opened: TestPartners;
let affiliateId: number;

const before = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'migrations of before '));
  for (const file of await readdir(migrations.directory))
    if (file < SINCE) await cp(join(migrations.directory, file), join(directory, file));
  return directory;
};

type Token = { readonly daysAgo: number; readonly livesDays: number | null };

/** A family whose first token was made so long ago, and what is left of its tokens, the oldest first. */
const families = {
  'with an end': { daysAgo: 10, left: [{ daysAgo: 10, livesDays: 30 }] },
  'without an end': { daysAgo: 500, left: [{ daysAgo: 500, livesDays: null }] },
  'without a life': { daysAgo: 10, left: [{ daysAgo: 10, livesDays: -1 }] },
  'whose first token was let go': { daysAgo: 500, left: [{ daysAgo: 50, livesDays: 30 }] },
  'whose tokens were all let go': { daysAgo: 500, left: [] },
  'that got a token without an end once all were let go': { daysAgo: 500, left: [{ daysAgo: 5, livesDays: null }] },
  'that was revoked once all were let go': { daysAgo: 500, left: [] },
} satisfies Readonly<Record<string, { readonly daysAgo: number; readonly left: readonly Token[] }>>;

type Name = keyof typeof families;

const ids = new Map<Name, number>();

const insert = async (text: string, values: readonly unknown[]): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(`${text} RETURNING id`, [...values]);
  if (!rows[0]) throw new Error('nothing came back');
  return Number(rows[0].id);
};

const textOf = (name: Name): string => `the refresh token of the family ${name}`;

const make = async (name: Name): Promise<void> => {
  const { daysAgo, left }: { readonly daysAgo: number; readonly left: readonly Token[] } = families[name];
  const [status, ago] = [name.includes('revoked') ? 'revoked' : 'active', `now() - make_interval(days => $2)`];
  const family = await insert(`INSERT INTO token_families (affiliate_id, created_at, status) VALUES ($1, ${ago}, $3)`, [
    affiliateId,
    daysAgo,
    status,
  ]);
  ids.set(name, family);
  for (const token of left)
    await insert(
      `INSERT INTO access_tokens (family_id, created_at, expires_at, hash)
       VALUES ($1, ${ago}, ${ago} + make_interval(days => $3), decode(md5($4), 'hex'))`,
      [family, token.daysAgo, token.livesDays, `${name} ${token.daysAgo}`],
    );
  const hash = createKeyHash(opened.secrets, 'legacy tokens');
  await insert('INSERT INTO refresh_tokens (family_id, hash) VALUES ($1, $2)', [family, hash(textOf(name))]);
};

beforeAll(async () => {
  const directory = await before();
  await migrate(database.url, { ...migrations, directory });
  await rm(directory, { recursive: true });
  opened = database.closing(await openTestPartners(database.url));
  affiliateId = (await opened.partners.accounts.affiliates.add('test', { name: 'Northern' })).id;
  for (const name of Object.keys(families) as Name[]) await make(name);
  await migrate(database.url, migrations);
});

afterAll(() => ids.clear());

const hoursLeft = (at: unknown): number | null =>
  at === null ? null : (Date.parse(String(at)) - Date.now()) / 3_600_000;

const tokensOf = async (name: Name) => {
  const listed = await opened.partners.accounts.accessTokens.list({ affiliateId, limit: 100 });
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM access_tokens WHERE family_id = $1', [
    ids.get(name),
  ]);
  const own = new Set(rows.map(({ id }) => Number(id)));
  return listed?.items.filter(({ id }) => own.has(id)) ?? [];
};

describe('a family of tokens that an older release issued', () => {
  it.each<[Name, number | null]>([
    ['with an end', 30 * 24],
    ['without an end', null],
    ['without a life', 1],
    ['whose first token was let go', 30 * 24],
    ['whose tokens were all let go', 1],
    ['that got a token without an end once all were let go', 1],
  ])('%s goes on with tokens that live as they should', async (name, hours) => {
    const refreshed = await opened.partners.legacyTokens.refresh(textOf(name), '192.0.2.1');
    if (refreshed.outcome === 'refused') throw new Error('not refreshed');
    const item = await opened.partners.accounts.accessTokens.item({ affiliateId, id: refreshed.pair.id });
    const lives = hoursLeft(item?.expires_at);
    if (hours === null) expect(lives).toBeNull();
    else expect(lives).toBeCloseTo(hours, 1);
  });

  it('has each token that it should not have got without an end come to one within the hour', async () => {
    const [bought] = await tokensOf('that got a token without an end once all were let go');
    const left = hoursLeft(bought?.expires_at);
    expect(left).toBeGreaterThan(0.9);
    expect(left).toBeLessThanOrEqual(1);
  });

  it('is in the list of operators though its tokens were let go, and can be revoked there', async () => {
    const [item] = await tokensOf('whose tokens were all let go');
    expect(item).toMatchObject({ status: 'active' });
    expect(hoursLeft(item?.expires_at)).toBeLessThan(0);
    const revoked = await opened.partners.accounts.accessTokens.revoke('test', { affiliateId, id: item?.id ?? 0 });
    expect(revoked).toMatchObject({ outcome: 'applied', item: { status: 'revoked' } });
    expect(await tokensOf('that was revoked once all were let go')).toEqual([]);
  });
});
