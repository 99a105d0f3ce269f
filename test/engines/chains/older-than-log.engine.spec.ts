import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type DepositHandle,
  done,
  endpoints,
  eventually,
  hookedCasinos,
  openMarket,
  type Running,
  serviceAt,
  startService,
} from '../../acceptance/harness/index.ts';
import { type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { type StandIn, startStandIn } from '../eventstoredb/standIn.ts';
import { startUtxoChain, type UtxoChain } from './driver/index.ts';
import { historyOf, quotedUnits, scriptFor, untilStatus } from './driver/live.ts';

const open = endpoints();
let chain: UtxoChain;
let log: StandIn;
let postgres: PostgresServer;
let running: Running | undefined;

beforeAll(async () => {
  chain = await startUtxoChain('bitcoind');
  log = await startStandIn();
  postgres = await startPostgresServer();
}, 90_000);
afterAll(async () => {
  await running?.stop();
  log?.kill();
  await postgres?.stop();
  await chain?.stop();
}, 60_000);

const service = serviceAt(() => {
  if (!running) throw new Error('the service does not run');
  return running;
});

/** Until the watcher stands where the node does, and all was told. */
const untilFollowed = async (): Promise<void> => {
  const isThere = async (): Promise<boolean> => {
    const { chains } = done(await service.operator('GET', '/operator/chains')) as {
      chains: { currency: string; hash: string; unsent: number }[];
    };
    const watched = chains.find(({ currency }) => currency === 'BTC');
    return watched?.unsent === 0 && watched.hash === (await chain.node.rpc('getbestblockhash'));
  };
  await eventually(isThere, (is) => is, 60_000);
};

const start = async (): Promise<void> => {
  running = await startService({
    ...{ DATABASE_URL: postgres.url, SECRETS_KEY: 'the-key-of-a-test-of-an-older-database' },
    ...{ EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: log.url, ENGINE: 'live' },
    ...{ BTC_NODE_URL: chain.node.url, BTC_NETWORK: 'regtest', BTC_CONFIRMATIONS: '3' },
  });
};

type Coin = ReturnType<UtxoChain['coin']>;

const pay = (deposit: DepositHandle, coin: Coin, fee: bigint): Promise<unknown> =>
  chain.send(chain.payment([{ script: scriptFor('BTC', deposit), amount: quotedUnits(deposit) }], { coin, fee }));

const factsOf = async (deposit: DepositHandle): Promise<readonly string[]> =>
  (await historyOf(service, deposit)).map(({ type }) => type).filter((type) => type.startsWith('Payment'));

describe('a Postgres that is put back beside a log that went on', () => {
  it('counts no coin twice, and none that the chain gave up since', async () => {
    await start();
    await openMarket(service);
    const { casino } = await hookedCasinos(service, open)();
    const order = (fields = {}) => casino.deposit({ currency: 'BTC', amount: 10, ...fields });
    const [plain, known, fast, stands] = [await order(), await order(), await order({ no_conf: true }), await order()];
    const coins = [chain.coin(), chain.coin(), chain.coin(), chain.coin()] as const;
    await pay(known, coins[1], 20_000n);
    await untilStatus(known, 'Succeed', 20_000);

    await running?.stop();
    await postgres.keep();
    await start();
    await pay(plain, coins[0], 20_000n);
    await untilStatus(plain, 'Succeed', 20_000);
    await chain.mine(3);
    await pay(fast, coins[2], 20_000n);
    await pay(stands, coins[3], 20_000n);
    for (const each of [plain, known]) await untilStatus(each, 'Confirmed', 20_000);
    for (const each of [fast, stands]) await untilStatus(each, 'Succeed', 20_000);
    await eventually(fast.read, ({ no_conf_state: state }) => state === 'eligible', 20_000);
    for (const each of [plain, known, fast, stands]) await each.screen();

    await running?.stop();
    await postgres.putBack('files');
    const height = await chain.node.rpc<number>('getblockcount');
    await chain.node.rpc('invalidateblock', await chain.node.rpc('getblockhash', height - 2));
    const takenBack = [coins[0], coins[1]].map((coin) =>
      chain.payment([{ script: `0014${'cd'.repeat(20)}`, amount: 30_000n }], { coin, fee: 90_000n }),
    );
    await chain.mineOnly(takenBack);
    await chain.mineOnly([]);
    await chain.mineOnly([]);
    // Its payer raises the fee: the same coin, the same sum, the same address.
    await pay(fast, coins[2], 200_000n);
    await chain.mineOnly([]);
    await start();
    await untilFollowed();

    for (const [each, end] of [
      [plain, 'PaymentDropped'],
      [known, 'PaymentDoubleSpent'],
    ] as const) {
      expect(await eventually(each.read, ({ status }) => status !== 'Confirmed', 20_000)).toMatchObject({
        acceptable: false,
      });
      expect((await each.accept()).status).toBe(409);
      expect(await factsOf(each)).toEqual(['PaymentSeen', 'PaymentConfirmed', 'PaymentReorged', end]);
    }
    expect(
      await eventually(
        () => factsOf(fast),
        ({ length }) => length === 3,
        20_000,
      ),
    ).toEqual([...['PaymentSeen', 'PaymentDropped', 'PaymentSeen']]);
    expect(await fast.read()).toMatchObject({ status: 'Succeed', acceptable: false });
    expect(await factsOf(stands)).toEqual(['PaymentSeen']);
    await chain.mine(3);
    expect(await untilStatus(stands, 'Confirmed', 20_000)).toMatchObject({ acceptable: true });
    expect(await untilStatus(fast, 'Confirmed', 20_000)).toMatchObject({
      confirmed_crypto: fast.quote.crypto_amount,
    });
  }, 400_000);
});
