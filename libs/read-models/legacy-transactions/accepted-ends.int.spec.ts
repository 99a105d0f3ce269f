import { expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { rememberedPlaces } from '../remembered.ts';
import { groundTables } from '../testing/ground.ts';
import { transactionStreams } from './index.ts';

const database = databasePerTest(...groundTables);

it('An end of an older transaction that was accepted gives up what was seen of the stream beside it', async () => {
  await database.pool.query(
    `INSERT INTO accepted_ends (stream, ends_at, shown_revision, reason)
     VALUES ('legacy-transaction-7', 0, 5, 'the log was put back')`,
  );
  const remembered = rememberedPlaces(database.pool, [transactionStreams]);
  expect(await remembered('legacy-signals-7')).toEqual({ revision: -1, hash: undefined, accepted: expect.anything() });
  expect(await remembered('legacy-signals-8')).toBeUndefined();
});
