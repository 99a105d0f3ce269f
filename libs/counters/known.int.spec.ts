import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { parsePosition } from '#event-log';
import { silentLogger } from '#platform/logging';
import { createPool, type Queryable } from '#platform/postgres';
import { createKnown } from './known.ts';
import { type Mark, moveMark } from './mark.ts';
import { databasesPerTest } from './testing/databases.ts';

const databases = databasesPerTest('together');

const nothing = async (): Promise<void> => undefined;

const markAt = (place: number): Mark => ({
  ...{
    position: parsePosition(`${String(place).padStart(20, '0')}.${'0'.repeat(20)}`),
    stream: 'deposit-1',
    revision: place,
    id: randomUUID(),
  },
});

it('a database has forgotten nothing that is counted while it is asked', async () => {
  const pool = createPool({ url: databases.url, applicationName: 'test', logger: silentLogger });
  let meanwhile = nothing;
  /** Happens behind the next answer. */
  const query = async (...asked: Parameters<Queryable['query']>) => {
    const answer = await pool.query(...asked);
    const happens = meanwhile;
    meanwhile = nothing;
    await happens();
    return answer;
  };
  const known = createKnown({ isOfTheLog: true, pool: Object.assign(Object.create(pool), { query }) });
  const count = async (mark: Mark): Promise<void> => {
    await moveMark(pool, mark);
    await known.learn(mark);
  };
  await count(markAt(1));
  meanwhile = () => count(markAt(2));
  expect(await known.isForgotten()).toBe(false);
  expect(known.reached()).toBe(markAt(2).position);
  await pool.query('UPDATE counted_through SET position = $1', [markAt(1).position]);
  expect(await known.isForgotten()).toBe(true);
  await pool.end();
});
