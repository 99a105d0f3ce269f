import { beforeEach, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { isUnhandled } from '#engine';
import { engineTables, openTestEngine, type TestEngine, until } from '#engine/testing';
import { tellRepeated } from '#ground';
import { decimalText } from '#money';
import { migrations as partnersMigrations } from '#partners';
import { operatorByRole } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { acceptEnds, lookAtLostEnds } from '#read-models';
import { startWatch, migrations as watchMigrations } from '#watch';
import { memoryNode, nothingTold, paymentTo } from '#watch/testing';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { lostEndRoutes } from './lost-ends.controller.ts';
import { tellEndsAsBefore } from './tell-as-before.ts';

const database = databasePerTest(...engineTables, ...addressesTables, partnersMigrations, watchMigrations);
let node: ReturnType<typeof memoryNode>;
let engine: TestEngine;

/** As a process that starts: it has seen nothing of the log. */
const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

beforeEach(async () => {
  node = memoryNode('node');
  engine = await open();
  await engine.issue(1);
});

const watch = () => {
  const chain = { agree: 1, confirmations: [{ from: 0n, need: 1 }], headMaxAgeMs: 86_400_000, dust: 0n };
  const { pool, takeSignals } = engine;
  const { stop } = startWatch({
    ...{ pool, takeSignals, logger: silentLogger, isFault: isUnhandled, everyMs: 20, fullRbf: 'allow' },
    ...{ chains: [{ ...chain, coin: 'LTC', nodes: [node] }], isFast: async () => false, told: nothingTold },
  });
  database.atEnd(stop);
  return stop;
};

const SCRIPT = '0014';

const give = (column: 'deposit_id' | 'transaction_id', id: number) =>
  engine.pool.query(
    `INSERT INTO pool_addresses (currency, address, address_key, script, source, ${column}, taken_at)
     VALUES ('LTC', $1, $1, $1, 'added', $2, now())`,
    [SCRIPT, id],
  );

const typesOf = async (stream: string) => (await Array.fromAsync(engine.log.read(stream))).map(({ type }) => type);
const unsent = async () => (await engine.pool.query('SELECT FROM chain_outbox')).rowCount ?? 0;
const count = async (table: string) => (await engine.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;

/** It is told of the payment by its chain, and then the log is put back to before that. */
const loseAllBehind = async (stream: string, endsAt: number): Promise<void> => {
  await engine.close();
  await database.pool.query(
    `ALTER TABLE events DISABLE TRIGGER USER;
     DELETE FROM events WHERE stream = '${stream}' AND revision > ${endsAt} OR stream LIKE 'output-%';
     ALTER TABLE events ENABLE TRIGGER USER`,
  );
  engine = await open();
  await engine.pool.query(
    `INSERT INTO projection_damage (name, stream, revision, problem, rebuild, shown_revision)
     VALUES ('deposits', $1, $2, 'it ends', false, 2)`,
    [stream, endsAt + 1],
  );
};

const partsOf = () => ({ log: engine.log, pool: engine.pool, kinds: [] });

/** As an admin has it, by its route. */
const acceptingAll = async () => {
  const metrics = createMetrics();
  const imports = [knowingOperators(operatorByRole), lostEndRoutes(partsOf())];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics });
  database.atEnd(() => app.close());
  const url = await listen(app, { host: '127.0.0.1', port: 0 });
  return async (): Promise<unknown> => {
    const response = await fetch(`${url}/operator/lost-ends/accept`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'the log was put back' }),
    });
    return response.json();
  };
};

const isConfirmed = (stream: string) => async (): Promise<boolean> =>
  (await typesOf(stream)).some((type) => type.endsWith('PaymentConfirmed')) && (await unsent()) === 0;

/** All that is told of it is in its history. */
const paid = async (stream: string): Promise<readonly string[]> => {
  await until('the chain has begun', async () => (await count('chain_tips')) === 1);
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await until('it is confirmed', isConfirmed(stream));
  return typesOf(stream);
};

const newTransaction = async (): Promise<number> => {
  const created = await engine.legacy.create({
    ...{ affiliateId: 1, currency: 'LTC', label: 'order', email: 'payer@example.com', actor: 'access token 1' },
    usdAmount: decimalText('100'),
  });
  if (created.outcome !== 'applied') throw new Error('none was made');
  return created.transaction.terms.transactionId;
};

it.each(['deposit', 'legacy-transaction'])(
  'a watched %s has its lost payments again by its acceptance',
  async (kind) => {
    const id = kind === 'deposit' ? 1 : await newTransaction();
    const stream = `${kind}-${id}`;
    await give(kind === 'deposit' ? 'deposit_id' : 'transaction_id', id);
    const stop = watch();
    const history = await paid(stream);
    await stop();
    await loseAllBehind(stream, 0);
    watch();
    await expect(
      acceptEnds(engine.pool, await lookAtLostEnds(partsOf()), 'why', async (db, ends) => {
        await tellEndsAsBefore(db, ends);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await unsent()).toBe(0);

    const accept = await acceptingAll();
    expect(await accept()).toMatchObject({ accepted: [{ stream, ends_at: 0 }] });
    await until('it is confirmed', isConfirmed(stream));
    expect(await typesOf(stream)).toEqual(history);
    expect(await accept()).toEqual({ accepted: [], refused: [], left: 0 });
    expect(await unsent()).toBe(0);
  },
);

it('a watched deposit of which nothing was left has its payments again once it is made again', async () => {
  await give('deposit_id', 1);
  const stop = watch();
  const history = await paid('deposit-1');
  await tellRepeated(engine.pool, 1);
  expect(await unsent()).toBe(0);
  await stop();
  await loseAllBehind('deposit-1', -1);
  await (await acceptingAll())();
  await tellRepeated(engine.pool, 1);
  watch();
  node.mine('all', [paymentTo(SCRIPT, 'meanwhile')]);
  const told = async () => (await count('engine_signals')) === 4 && (await unsent()) === 0;
  await until('all is told to nobody', told);
  expect(await typesOf('deposit-1')).toEqual([]);
  await engine.issue(1);
  for (const _ of ['once', 'and once more']) {
    await tellRepeated(engine.pool, 1);
    await until('all is told', async () => (await unsent()) === 0);
    expect(await typesOf('deposit-1')).toEqual([...history, ...history.slice(1)]);
  }
});

it('nothing is told of a deposit that is in no history, nor of one that nobody watches', async () => {
  await give('deposit_id', 1);
  const stop = watch();
  await paid('deposit-1');
  await stop();
  await engine.issue(2);
  const fact = { signal_id: 'a', deposit_id: 2, at: new Date().toISOString() };
  await engine.takeSignals([{ ...fact, type: 'payment.seen', txid: 'another', amount: '1' }], 'engine');
  const told = async (stream: string, endsAt: number) => {
    await tellEndsAsBefore(engine.pool, [{ stream, endsAt, shown: 9 }]);
    return unsent();
  };
  expect([await told('deposit-2', 0), await told('deposit-1', -1), await told('deposit-1', 0)]).toEqual([0, 0, 2]);
});
