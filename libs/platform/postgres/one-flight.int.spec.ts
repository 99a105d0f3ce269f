import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { inOneFlight, sendsAtOnce } from './index.ts';

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url, pipeline: true });
  await client.connect();
  await client.query('CREATE TABLE kept (n integer PRIMARY KEY)');
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => void (await client.query('TRUNCATE kept')));

const keep = (n: number) => client.query('INSERT INTO kept VALUES ($1)', [n]);

const kept = async (): Promise<number[]> =>
  (await client.query<{ n: number }>('SELECT n FROM kept ORDER BY n')).rows.map(({ n }) => n);

it('keeps all that was sent', async () => {
  await inOneFlight(client, () => [keep(1), keep(2)]);
  expect(await kept()).toEqual([1, 2]);
});

it('keeps nothing where one is refused, and says which, not what came of it', async () => {
  await keep(7);
  const flight = inOneFlight(client, () => [keep(1), keep(7), keep(2)]);
  await expect(flight).rejects.toMatchObject({ code: '23505' });
  expect(await kept()).toEqual([7]);
});

it('keeps nothing where an answer is not what it has to be', async () => {
  const judged = async (): Promise<void> => {
    const { rowCount } = await client.query('UPDATE kept SET n = 9 WHERE n = 8');
    if (rowCount !== 1) throw new Error('there was no 8');
  };
  await expect(inOneFlight(client, () => [keep(1), judged(), keep(2)])).rejects.toThrow('there was no 8');
  expect(await kept()).toEqual([]);
  await inOneFlight(client, () => [keep(3)]);
  expect(await kept()).toEqual([3]);
});

it('is for connections that send at once alone', () => {
  expect([client, new pg.Client(database.url)].map(sendsAtOnce)).toEqual([true, false]);
});
