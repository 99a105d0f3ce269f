import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { eventually } from '../testing/eventually.ts';
import { groundTables } from '../testing/ground.ts';
import { openLostEnds } from './testing/lost-ends.ts';

const database = databasePerTest(...groundTables);
const {
  begin,
  cut,
  look,
  lost,
  named,
  openLog,
  putAside,
  putBack,
  read,
  rebuild,
  shown,
  start,
  tamper,
  until,
  write,
  writeAnew,
} = openLostEnds(database);

const ANOTHER = 'another event than was seen before';
const refusedAsBroken = { acceptable: [], refused: [{ stream: 'deposit-1', because: 'broken' }], left: 0 };

const readAfresh = async (): Promise<number> => read(await openLog(), 1);

beforeEach(async () => {
  await begin();
});

describe('A stream of which an event that was shown was replaced by another', () => {
  it('is refused after rebuilds as before them, and accepted by nobody', async () => {
    await write(1);
    start();
    await until(await write(4));
    await cut(1, 4);
    await writeAnew(1, 5);
    await expect(readAfresh()).rejects.toThrow(ANOTHER);
    for (const _ of ['once', 'and once more']) {
      await rebuild();
      expect(await named()).toEqual(['deposit-1']);
      await expect(readAfresh()).rejects.toThrow(ANOTHER);
      expect(await look()).toEqual(refusedAsBroken);
    }
  }, 60_000);

  it('is refused after rebuilds where it goes on behind that', async () => {
    await write(1, 0, 4);
    start();
    await until(await write(4));
    await cut(1, 2);
    await writeAnew(1, 3);
    for (const _ of ['once', 'and once more']) {
      await rebuild();
      await expect(readAfresh()).rejects.toThrow(ANOTHER);
      expect(await look()).toEqual(refusedAsBroken);
    }
  }, 60_000);

  it('is refused after rebuilds where it had ended before that', async () => {
    await lost();
    await writeAnew(1, 3);
    for (const _ of ['once', 'and once more']) {
      expect((await look('deposit-1')).refused).toEqual(refusedAsBroken.refused);
      await rebuild();
    }
    await expect(readAfresh()).rejects.toThrow(ANOTHER);
  }, 60_000);

  it('is refused where what is left of it was changed after its end was lost, and goes on being so', async () => {
    await lost();
    await cut(1, 1);
    await writeAnew(1, 2);
    await cut(1, 2);
    for (const _ of ['once', 'and once more']) {
      await rebuild();
      expect((await look('deposit-1')).refused).toEqual(refusedAsBroken.refused);
    }
  }, 60_000);

  it('is read again where its own events come back, and shown once its rows were made of them', async () => {
    await write(1);
    await putAside(1, 4);
    start();
    await until(await write(4));
    await cut(1, 4);
    await writeAnew(1, 5);
    await rebuild();
    await cut(1, 4);
    await putBack();
    expect(await readAfresh()).toBe(6);
    await new Promise((passed) => setTimeout(passed, 6_000));
    // Its row was made of the other event.
    expect(await named()).toEqual(['deposit-1']);
    await rebuild();
    expect(await named()).toEqual([]);
    expect(await readAfresh()).toBe(6);
    await until(await write(2));
    expect(await shown()).toMatchObject([{ id: 1, revision: 5 }, { id: 2 }, { id: 4 }]);
  }, 60_000);
});

describe('A stream that has more events than its row shows', () => {
  it('is as it was after a rebuild', async () => {
    await write(1);
    start();
    await until(await write(4));
    await tamper(`UPDATE deposits SET revision = 3, hash = metadata::json->>'hash' FROM events
      WHERE deposits.id = 1 AND stream = 'deposit-1' AND events.revision = 3`);
    await rebuild();
    await eventually(shown, ([first]) => first.revision === 5);
    expect(await named()).toEqual([]);
    expect(await readAfresh()).toBe(6);
  }, 40_000);
});
