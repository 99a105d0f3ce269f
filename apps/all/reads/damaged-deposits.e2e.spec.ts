import { beforeEach, describe, expect, it } from '@jest/globals';
import { accept, confirmed, kyt, ofac, seen } from '#deposits/testing';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { serveReads } from '../testing/serve-reads.ts';

const database = databasePerTest();
let served: Awaited<ReturnType<typeof serveReads>>;
let auditor: { authorization: string };

const rowIsThere = async (): Promise<void> => {
  for (;;) {
    const { rows } = await database.pool.query('SELECT FROM deposits WHERE id = 7 AND revision = 5');
    if (rows.length > 0) return;
    await new Promise((passed) => setTimeout(passed, 50));
  }
};

beforeEach(async () => {
  served = await serveReads(database.url);
  database.atEnd(served.close);
  auditor = await served.operator('auditor');
  await served.happened({ depositId: 7 }, seen(), kyt('passed'), ofac('clear'), confirmed(), accept());
  await rowIsThere();
});

const get = (path: string) => served.ask(path, auditor);

const shown = async (query: string) => {
  const { status, body } = await get(`/operator/deposits/7/events?${query}`);
  return { status, revisions: body.events?.map(({ revision }) => revision), damage: body.damage };
};

const cut = (behind: number) =>
  database.pool.query(
    `ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events WHERE stream = 'deposit-7' AND revision > ${behind};
     ALTER TABLE events ENABLE TRIGGER USER`,
  );

const damaged = (problem: string) => ({
  status: 409,
  body: {
    detail: `The history of this deposit is damaged, its events show what there is of it: ${problem}`,
    code: 'history_damaged',
  },
});

describe('A deposit whose history is not what was shown of it', () => {
  it('is shown to operators up to where its end was cut off, and said to be damaged', async () => {
    await cut(2);
    const problem = 'stream deposit-7: it ends before revision 3, and was seen up to 5';
    const whole = { status: 200, revisions: [0, 1, 2], damage: { revision: 3, problem } };
    for (const query of ['', 'raw=true', 'newest=200&raw=true', 'limit=200&cursor=0&raw=true'])
      expect([query, await shown(query)]).toEqual([query, whole]);
    expect(await shown('newest=2')).toEqual({ ...whole, revisions: [1, 2] });
    expect(await shown('limit=2')).toEqual({ ...whole, revisions: [0, 1], damage: undefined });
    expect(await shown('limit=2&cursor=2')).toEqual({ ...whole, revisions: [2] });
    for (const query of ['', '?revision=1'])
      expect([query, await get(`/operator/deposits/7${query}`)]).toEqual([query, damaged(problem)]);
  }, 60_000);

  it('is said to be gone where nothing is left of it', async () => {
    await cut(-1);
    const problem = 'stream deposit-7: it ends before revision 0, and was seen up to 5';
    for (const query of ['', 'newest=200&raw=true'])
      expect(await shown(query)).toEqual({ status: 200, revisions: [], damage: { revision: 0, problem } });
    expect(await get('/operator/deposits/7')).toEqual(damaged(problem));
  }, 60_000);

  it('is said to be damaged from where an event was replaced by another', async () => {
    await database.pool.query(`UPDATE deposits SET hash = repeat('0', 64), revision = 4 WHERE id = 7`);
    const problem = 'stream deposit-7, revision 4: it is another event than was seen before';
    for (const query of ['', 'newest=200&raw=true', 'limit=200&cursor=0&raw=true'])
      expect(await shown(query)).toEqual({
        ...{ status: 200, revisions: [0, 1, 2, 3, 4, 5] },
        damage: { revision: 4, problem },
      });
    for (const query of ['', '?revision=1'])
      expect([query, await get(`/operator/deposits/7${query}`)]).toEqual([query, damaged(problem)]);
  });
});
