import { describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import { countUses, migrations } from './index.ts';

const database = databasePerFile(migrations);

const limit = (subject: string, most: number) => ({ subject, most, withinSeconds: 60 });

const left = async (...limits: readonly ReturnType<typeof limit>[]) =>
  (await countUses(database.pool, limits)).map(({ allowed, remaining }) => [allowed, remaining]);

describe('uses that are counted by several limits', () => {
  it('use up nothing of the wider one where the narrower one refuses, and tell how much is left of it', async () => {
    const [narrow, wide] = [limit('narrow', 2), limit('wide', 4)];
    expect(await left(narrow, wide)).toEqual([
      [true, 1],
      [true, 3],
    ]);
    // At once: nobody knows yet who is refused.
    const all = await Promise.all(Array.from({ length: 8 }, () => left(narrow, wide)));
    expect(all.filter(([one]) => one?.[0])).toHaveLength(1);
    expect(await left(narrow, wide)).toEqual([
      [false, 0],
      [true, 2],
    ]);
    expect(await left(wide)).toEqual([[true, 1]]);
  });

  it('use up the narrower one where the wider one refuses', async () => {
    const [key, address] = [limit('key', 3), limit('address', 1)];
    expect(await left(key, address)).toEqual([
      [true, 2],
      [true, 0],
    ]);
    expect(await left(key, address)).toEqual([
      [true, 1],
      [false, 0],
    ]);
  });

  it('begin anew with a new window', async () => {
    const at = (second: number) =>
      countUses(database.pool, [limit('a', 1), limit('b', 1)], new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
    const [first] = await at(0);
    expect(first).toMatchObject({ allowed: true, remaining: 0, secondsLeft: 60 });
    expect((await at(30))[0]).toMatchObject({ allowed: false, secondsLeft: 30 });
    expect((await at(59))[1]).toMatchObject({ allowed: true, remaining: 0, secondsLeft: 1 });
    expect((await at(60)).map(({ allowed }) => allowed)).toEqual([true, true]);
  });
});
