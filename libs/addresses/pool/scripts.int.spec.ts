import { expect, it } from '@jest/globals';
import { migrations as partners } from '#partners';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { addAddresses } from './add.ts';
import { ownersOfScripts, recordScripts } from './scripts.ts';

const database = databasePerTest(partners, migrations);

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCRIPT = '0014751e76e8199196d454941c45d1b3a323f1433bd6';

const give = (address: string, depositId: number) =>
  database.pool.query('UPDATE pool_addresses SET deposit_id = $2, taken_at = now() WHERE address = $1', [
    address,
    depositId,
  ]);

const owners = () => ownersOfScripts(database.pool, 'BTC', [SCRIPT, 'ff', '']);

it('finds an address by what pays it, once it was given out', async () => {
  await addAddresses(database.pool, { currency: 'BTC', addresses: [ADDRESS], actor: 'test' });
  expect(await owners()).toEqual(new Map());
  await give(ADDRESS, 7);
  expect([...(await owners()).values()]).toEqual([{ script: SCRIPT, address: ADDRESS, owner: { depositId: 7 } }]);
});

it('gives those of before there were scripts theirs', async () => {
  await database.pool.query(
    `INSERT INTO pool_addresses (currency, address, address_key, source)
     VALUES ('BTC', $1, $1, 'added'), ('BTC', 'of-a-test', 'of-a-test', 'added')`,
    [ADDRESS],
  );
  await give(ADDRESS, 8);
  await recordScripts(database.pool, new AbortController().signal);
  expect([...(await owners()).values()]).toMatchObject([{ owner: { depositId: 8 } }]);
  const { rows } = await database.pool.query('SELECT script FROM pool_addresses ORDER BY id');
  expect(rows).toEqual([{ script: SCRIPT }, { script: '' }]);
});
