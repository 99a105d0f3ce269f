import { expect, it, jest } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import { createClock } from './clock.ts';

const database = databasePerFile();

it('goes by the clock of the database, whatever the own one says', async () => {
  const right = Date.now();
  const wrong = jest.spyOn(Date, 'now').mockImplementation(() => right + 3_600_000);
  const clock = createClock(database.pool);
  await clock.look();
  const shown = clock.now().getTime();
  wrong.mockRestore();
  expect(Math.abs(shown - Date.now())).toBeLessThan(60_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(clock.now().getTime()).toBeGreaterThan(shown);
});
