import { expect, it } from '@jest/globals';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { chainReports } from './report.ts';
import { firstTip } from './rows/tip.ts';

const database = databasePerTest(migrations);

const node = (name: string, secondsAgo: number, state = 'ok') =>
  database.pool.query(
    `INSERT INTO chain_nodes (chain, name, state, asked_at, since)
     VALUES ('BTC', $1, $2, now() - make_interval(secs => $3), now() - interval '1 day')`,
    [name, state, secondsAgo],
  );

it('shows no node as well that nobody has asked for a minute, whatever it was then', async () => {
  await firstTip(database.pool, 'BTC', { hash: 'a', height: 100, time: 1_700_000_000 });
  await node('asked', 50);
  await node('left', 61);
  await node('sick and left', 61, 'stale');
  const [chain] = await chainReports(database.pool);
  const problem = 'no watcher has asked it for a minute';
  expect(chain?.nodes).toMatchObject([
    { name: 'asked', state: 'ok', problem: null },
    { name: 'left', state: 'unasked', problem },
    { name: 'sick and left', state: 'unasked', problem },
  ]);
  for (const { state, since, asked_at } of chain?.nodes ?? []) expect(since < asked_at).toBe(state === 'ok');
});
