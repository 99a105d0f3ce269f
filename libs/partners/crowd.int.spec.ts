import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { openTestPartners, type TestPartners } from './testing/open-test-partners.ts';

const database = databasePerFile(migrations);
let here: TestPartners;

beforeAll(async () => {
  here = database.closing(await openTestPartners(database.url));
});

const FROM = '192.0.2.1';

/** What comes of many at once, and how many connections they have while the tables of credentials answer nobody. */
const together = async (ask: (nth: number) => Promise<unknown>) => {
  const { pool } = here;
  const holder = await database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE api_keys, operator_tokens, console_sessions, console_sign_ins');
  const crowd = Array.from({ length: 60 }, (_, nth) => ask(nth));
  let taken: number;
  try {
    await new Promise((resolve) => setTimeout(resolve, 300));
    taken = pool.totalCount - pool.idleCount + pool.waitingCount;
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  return { taken, came: await Promise.all(crowd) };
};

describe('many who show credentials that are none', () => {
  it.each([
    ['an API key', (nth: number) => here.partners.authenticate(`nobody ${nth}`, FROM)],
    ['an API key with an id', (nth: number) => here.partners.authenticate(`${4_000 + nth}:nobody`, FROM)],
    ["an operator's token", (nth: number) => here.partners.authenticateOperator(`Bearer nobody ${nth}`, FROM)],
    ['a session', (nth: number) => here.partners.authenticateOperator({ session: `nobody ${nth}` }, FROM)],
  ])('as %s leave connections to all others, and are answered in the end', async (_, ask) => {
    const { taken, came } = await together(ask);
    expect(taken).toBe(1);
    expect(came).toEqual(came.map(() => expect.objectContaining({ outcome: 'refused' })));
  });

  it('leave them also where they end a session, or come back from a provider', async () => {
    const { sessions, signIns } = here.partners;
    expect((await together((nth) => sessions.end(`nobody ${nth}`, FROM))).taken).toBe(1);
    expect((await together((nth) => signIns.take(`nobody ${nth}`, FROM))).taken).toBe(1);
  });
});
