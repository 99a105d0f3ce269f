import { expect, it } from '@jest/globals';
import { migrate } from '#platform/migrations';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';

const database = databasePerTest(migrations);

const readRows = async (): Promise<unknown[]> => {
  const { rows } = await database.pool.query(
    'SELECT name, version, state, mode, held, position FROM projection_rebuilds ORDER BY name',
  );
  return rows;
};

it('a release that alters tables ends their rebuilds of before, and gives back what one has taken away', async () => {
  await database.pool.query(`
    DELETE FROM migrations_read_models WHERE name >= '0013';
    DROP TABLE accepted_ends; DROP INDEX projection_damage_by_stream;
    ALTER TABLE deposits DROP COLUMN paid_after_decision_at;
    ALTER TABLE projection_checkpoints DROP COLUMN behind_last;
    INSERT INTO projection_rebuilds (name, version, state, mode, held, position, failure) VALUES
      ('deposits', 5, 'filling', 'hold', true, '1.1', NULL), ('returns', 2, 'failed', 'switch', false, NULL, '{}'),
      ('timers', 1, 'filling', 'switch', false, '1.1', NULL)`);
  await migrate(database.url, migrations);
  const cancelled = { state: 'requested', mode: 'cancel', held: false, position: null };
  expect(await readRows()).toEqual([
    { name: 'deposits', version: 5, ...cancelled },
    { name: 'returns', version: 2, ...cancelled },
    { name: 'timers', version: 1, state: 'filling', mode: 'switch', held: false, position: '1.1' },
  ]);
  expect((await database.pool.query('SELECT paid_after_decision_at FROM deposits')).rows).toEqual([]);
});
