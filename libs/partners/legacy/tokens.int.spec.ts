import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { done } from '../testing/done.ts';
import { openTestPartners, type TestPartners } from '../testing/open-test-partners.ts';
import { secondsUntil } from '../testing/until.ts';

const database = databasePerFile(migrations);
let here: TestPartners;
let elsewhere: TestPartners;

beforeAll(async () => {
  here = database.closing(await openTestPartners(database.url));
  elsewhere = database.closing(await openTestPartners(database.url));
});

const FROM = '192.0.2.1';

const tokens = (at: TestPartners = here) => at.partners.legacyTokens;

const issue = async (expiresAt: Date | null = null) => {
  const { affiliates, accessTokens } = here.partners.accounts;
  const { id: affiliateId } = await affiliates.add('test', { name: 'Northern', legacy: { subdomain: 'north' } });
  return { affiliateId, ...(await done(accessTokens.issue('test', { affiliateId, expiresAt }))) };
};

const outcome = async (presented: string, at = here) => {
  const known = await tokens(at).authenticate(presented, FROM);
  return known.outcome === 'refused' ? known.refusal.refusal : known.outcome;
};

describe('an access token', () => {
  it('says who calls, and what the affiliate may use', async () => {
    const { affiliateId, id, access_token } = await issue();
    expect(await tokens().authenticate(access_token, FROM)).toEqual({
      outcome: 'authenticated',
      token: {
        id,
        affiliateId,
        familyId: expect.any(Number),
        currencies: ['BTC', 'LTC', 'ETH', 'DASH', 'MARS', 'BCH'],
        legacy: { subdomain: 'north', logo: null, default_coin: null, cryptos: null },
      },
    });
  });

  it('is stored as a hash alone', async () => {
    const { access_token, refresh_token } = await issue();
    const { rows } = await here.pool.query(
      'SELECT t::text FROM access_tokens t UNION ALL SELECT r::text FROM refresh_tokens r',
    );
    for (const token of [access_token, refresh_token]) {
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
    }
  });

  it('is none when it is unknown, a refresh token, over or revoked', async () => {
    const { affiliateId, id, access_token, refresh_token } = await issue();
    expect(await Promise.all(['', 'nobody', refresh_token].map((each) => outcome(each)))).toEqual(
      Array(3).fill('invalid_token'),
    );
    expect(await outcome((await issue(new Date(Date.now() - 1_000))).access_token)).toBe('invalid_token');
    expect(await outcome(access_token, elsewhere)).toBe('authenticated');
    await here.partners.accounts.accessTokens.revoke('test', { affiliateId, id });
    expect(await outcome(access_token)).toBe('invalid_token');
    const known = async () => (await outcome(access_token, elsewhere)) === 'invalid_token';
    expect(await secondsUntil(known)).toBeLessThan(1);
    expect((await tokens().refresh(refresh_token, FROM)).outcome).toBe('refused');
  });

  it.each(['disabled', 'archived'] as const)(
    'is refused while its affiliate is %s, and used up by nothing',
    async (status) => {
      const { affiliateId, access_token, refresh_token } = await issue();
      await here.partners.accounts.affiliates.change('test', affiliateId, { status });
      expect(await outcome(access_token)).toBe(`affiliate_${status}`);
      const refusal = { outcome: 'refused', refusal: { refusal: `affiliate_${status}` } };
      expect(await tokens().refresh(refresh_token, FROM)).toEqual(refusal);
      await here.partners.accounts.affiliates.change('test', affiliateId, { status: 'enabled' });
      expect((await tokens().refresh(refresh_token, FROM)).outcome).toBe('applied');
    },
  );
});

const pairOf = async (refreshToken: string, at = here) => {
  const refreshed = await tokens(at).refresh(refreshToken, FROM);
  if (refreshed.outcome === 'refused') throw new Error('not refreshed');
  return refreshed.pair;
};

describe('a refresh token', () => {
  it('buys the next pair, and that the one after it; what was before stays good until it is over', async () => {
    const first = await issue();
    const second = await pairOf(first.refresh_token);
    const third = await pairOf(second.refreshToken, elsewhere);
    for (const token of [first.access_token, second.accessToken, third.accessToken])
      expect(await outcome(token)).toBe('authenticated');
  });

  it('gives the next pair as long a life as the first was given, and an hour where that was none', async () => {
    const lifeOf = async (expiresAt: Date | null) => {
      const { id } = await pairOf((await issue(expiresAt)).refresh_token);
      const { rows } = await here.pool.query<{ seconds: string | null }>(
        'SELECT round(extract(epoch FROM expires_at - now())) AS seconds FROM access_tokens WHERE id = $1',
        [id],
      );
      return rows[0]?.seconds == null ? null : Number(rows[0].seconds);
    };
    expect(await lifeOf(null)).toBeNull();
    expect(Math.abs(((await lifeOf(new Date(Date.now() + 86_400_000))) ?? 0) - 86_400)).toBeLessThan(30);
    expect(Math.abs(((await lifeOf(new Date(0))) ?? 0) - 3_600)).toBeLessThan(30);
  });

  it('gives a pair that would live into a year of five digits the end of the year before', async () => {
    const { affiliateId, refresh_token } = await issue(new Date('9999-12-31T23:59:59.999Z'));
    const { id } = await pairOf(refresh_token);
    expect(await here.partners.accounts.accessTokens.item({ affiliateId, id })).toMatchObject({
      expires_at: '9999-12-31T23:59:59.999Z',
    });
  });

  it('that is used twice revokes the family, and who changed that is recorded', async () => {
    const { access_token, refresh_token } = await issue();
    const { accessToken, refreshToken } = await pairOf(refresh_token);
    expect(await tokens().refresh(refresh_token, FROM)).toEqual({
      outcome: 'refused',
      refusal: { refusal: 'invalid_token' },
    });
    for (const token of [access_token, accessToken]) expect(await outcome(token)).toBe('invalid_token');
    expect((await tokens().refresh(refreshToken, FROM)).outcome).toBe('refused');
    const { rows } = await here.pool.query('SELECT subject, after FROM audit_trail ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ subject: 'token_family', after: { status: 'revoked' } }]);
  });

  it('used 24 times at once on two instances buys one pair, and revokes the family', async () => {
    const { refresh_token } = await issue();
    const uses = Array.from({ length: 24 }, (_, nth) =>
      tokens(nth % 2 ? here : elsewhere).refresh(refresh_token, FROM),
    );
    const bought = (await Promise.all(uses)).flatMap((each) => (each.outcome === 'applied' ? [each.pair] : []));
    expect(bought).toHaveLength(1);
    expect(await outcome(bought[0]?.accessToken ?? '')).toBe('invalid_token');
  });

  it('that was minted for an answer is one of its family', async () => {
    const { access_token } = await issue();
    const known = await tokens().authenticate(access_token, FROM);
    if (known.outcome === 'refused') throw new Error('not authenticated');
    const minted = await tokens().mintRefreshToken(known.token.familyId);
    expect(await outcome((await pairOf(minted)).accessToken)).toBe('authenticated');
    await tokens().refresh(minted, FROM);
    expect(await outcome(access_token)).toBe('invalid_token');
  });
});

/** How often an instance goes to the database in that time. */
const askedOf = async ({ pool }: TestPartners, work: () => Promise<unknown>): Promise<number> => {
  let asked = 0;
  const count = (): void => {
    asked += 1;
  };
  pool.on('acquire', count);
  await work();
  pool.off('acquire', count);
  return asked;
};

const ROUNDS = 40;
/** A token is looked up anew every second, however often it is shown. */
const FEW = 10;

describe('many who show tokens that are none', () => {
  it.each(['an invented one', 'a used one of a family that is revoked'])(
    'have nobody else looked up anew, here or elsewhere: %s',
    async (what) => {
      const used = (await issue()).refresh_token;
      await pairOf(used);
      await tokens().refresh(used, FROM);
      const { access_token } = await issue();
      await outcome(access_token);
      await outcome(access_token, elsewhere);
      // What was changed until here has been told when nothing is asked any more.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const rounds = async (): Promise<void> => {
        for (let nth = 0; nth < ROUNDS; nth++) {
          await tokens().refresh(what === 'an invented one' ? `nobody ${nth}` : used, FROM);
          expect(await outcome(access_token)).toBe('authenticated');
          expect(await outcome(access_token, elsewhere)).toBe('authenticated');
        }
      };
      const [askedHere, askedElsewhere] = await Promise.all([askedOf(here, rounds), askedOf(elsewhere, rounds)]);
      // Each refresh goes there once.
      expect(askedHere - 2 * ROUNDS).toBeLessThan(FEW);
      expect(askedElsewhere).toBeLessThan(FEW);
    },
  );

  it('leave connections to all others, and are answered in the end', async () => {
    const { pool } = here;
    const holder = await database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE access_tokens, refresh_tokens');
    const crowd = Array.from({ length: 60 }, (_, nth) => [
      tokens().authenticate(`nobody ${nth}`, FROM),
      tokens().refresh(`nobody ${nth}`, FROM),
    ]).flat();
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(pool.waitingCount).toBe(0);
      expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual((pool.options.max ?? 0) / 3);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    expect(new Set((await Promise.all(crowd)).map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
  });
});
