import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newCasino, openMarket, type Running, serviceAt, startService } from '../acceptance/harness/index.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';
import { newUser } from './support/cointill.ts';

let database: FreshDatabase;
let pooler: Pooler;
let running: Running | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  pooler = await startPooler(database.url);
});

afterAll(async () => {
  await running?.stop();
  await pooler.close();
  await database.drop();
}, 60_000);

it('behind a pooler a deposit is accepted, and its history holds', async () => {
  running = await startService({ DATABASE_URL: pooler.url });
  const { url } = running;
  const service = serviceAt(() => running as Running);
  await openMarket(service);
  const deposit = await (await (await newCasino(service)).deposit()).settle();
  await deposit.accept();
  const user = newUser({ COINTILL_URL: url, COINTILL_TOKEN: '', DATABASE_URL: pooler.url });
  const ended = await user.piped(['audit', 'verify', '--deposit', String(deposit.id)]);
  const whole = await user.piped(['audit', 'verify']);
  user.gone();
  expect([ended, whole]).toEqual([ended, whole].map(() => expect.objectContaining({ code: 0, out: '' })));
}, 180_000);
