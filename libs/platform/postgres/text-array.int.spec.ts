import { expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { textArray } from './index.ts';

const database = databasePerFile();

const sentBack = async (values: readonly (string | null)[]) =>
  (await database.pool.query<{ given: string[] }>('SELECT $1::text[] AS given', [textArray(values)])).rows[0]?.given;

it.each([
  { what: 'nothing', values: [] },
  { what: 'what text would have to escape', values: ['{"a":"\\n"}', 'a,b', '{}', ' ', '', 'NULL', "'"] },
  { what: 'what is not there', values: [null, 'a', null] },
  { what: 'letters of several bytes', values: ['Zoë', '金', '😀'] },
])('takes $what to Postgres as it is', async ({ values }) => {
  expect(await sentBack(values)).toEqual(values);
});

it('leaves to Postgres what no text of it can hold', async () => {
  await expect(sentBack(['a\0b'])).rejects.toMatchObject({ code: '22021' });
});
