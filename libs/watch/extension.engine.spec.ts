import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode } from '#chains';
import { framed, le, reversed } from '../../test/engines/chains/driver/wire.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import type { Rpc } from '../../test/engines/chains/nodes/rpc.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('litecoind');

/** The last block of its regtest that has no extension. */
const BEFORE_EXTENSION = 431;
/** Of its coins. */
const [HALF, QUARTER] = [50_000_000n, 25_000_000n];
const FEE = 20_000n;

type Coin = { readonly txid: string; readonly vout: number };

const FINAL = le(4, 0xffffffff);
const inputOf = ({ txid, vout }: Coin): Buffer => Buffer.concat([reversed(txid), le(4, vout), le(1, 0), FINAL]);
const outputOf = (amount: bigint, script: string): Buffer =>
  Buffer.concat([le(8, amount), framed(Buffer.from(script, 'hex'))]);

/** Version and two flags; then one input without a script, one output that goes in, and a witness of two items. */
const [HEAD, INPUT, OUTPUT] = [6, 41, 43];

/** A wallet pays nobody else with what takes coins into the extension: here it pays these too, out of one more coin. */
const payingToo = (hex: string, coin: Coin, scripts: readonly string[], amount: bigint): string => {
  const bytes = Buffer.from(hex, 'hex');
  const [from, to] = [HEAD + 1, HEAD + 1 + INPUT + 1];
  let end = to + OUTPUT;
  for (let items = bytes.readUInt8(end++); items > 0; items -= 1) end += 1 + bytes.readUInt8(end);
  return Buffer.concat([
    ...[bytes.subarray(0, 4), Buffer.from('000802', 'hex')],
    ...[bytes.subarray(from, from + INPUT - 4), FINAL, inputOf(coin)],
    ...[le(1, 1 + scripts.length), bytes.subarray(to, to + OUTPUT), ...scripts.map((each) => outputOf(amount, each))],
    bytes.subarray(end),
  ]).toString('hex');
};

const spending = (coin: Coin, script: string, amount: bigint): string =>
  Buffer.concat([...[le(4, 2), le(1, 1), inputOf(coin)], ...[le(1, 1), outputOf(amount, script), le(4, 0)]]).toString(
    'hex',
  );

describeWhere(missing === undefined, missing ?? '')('a payment whose transaction has a part in the extension', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const [direct, behind, plain] = [`0014${'a1'.repeat(20)}`, `0014${'b2'.repeat(20)}`, `0014${'c3'.repeat(20)}`];
  let node: RunningNode;
  let miner: Rpc;
  let payer: Rpc;
  let home: string;

  const mine = (blocks = 1) => node.rpc<string[]>('generatetoaddress', blocks, home);
  /** Its bytes, which the node has not got yet. */
  const made = async (by: Rpc, to: string, coins: number): Promise<string> =>
    (await by<{ hex: string }>('gettransaction', await by('sendtoaddress', to, coins))).hex;
  const send = (raw: string) => node.rpc<string>('sendrawtransaction', raw);
  const signAndSend = async (unsigned: string) =>
    send((await payer<{ hex: string }>('signrawtransactionwithwallet', unsigned)).hex);
  const fund = async (coins: number, kind: 'bech32' | 'mweb') =>
    send(await made(miner, await payer('getnewaddress', '', kind), coins));

  /** Set aside: its wallet spends it in nothing else. */
  const coinOf = async (coins: number): Promise<Coin> => {
    const all = await payer<(Coin & { readonly amount: number })[]>('listunspent');
    const { txid = '', vout = 0 } = all.find(({ amount }) => amount === coins) ?? {};
    await payer('lockunspent', false, [{ txid, vout }]);
    return { txid, vout };
  };

  beforeAll(async () => {
    node = await startNode('litecoind', ['-walletbroadcast=0']);
    [miner, payer] = [await node.wallet('miner'), await node.wallet('payer')];
    home = await miner('getnewaddress');
    await mine(BEFORE_EXTENSION);
    await fund(2, 'mweb');
    await mine();
    for (const coins of [1, 0.5, 0.25]) await fund(coins, 'bech32');
    await mine(8);
  }, 120_000);
  afterAll(() => node?.stop());

  it('counts in a block, as what leans on it does: nobody sees who else spends what it spends there', async () => {
    const watch = watching(database, 'LTC', [bitcoinLikeNode({ url: node.url, coin: 'LTC', network: 'regtest' })], {
      isFast: async () => true,
      confirmations: [{ from: 0n, need: 6 }],
    });
    for (const [nth, script] of [plain, direct, behind].entries()) await watch.give(script, nth + 1);
    const [half, quarter] = [await coinOf(0.5), await coinOf(0.25)];
    const { scriptPubKey } = await payer<{ scriptPubKey: string }>('getaddressinfo', await payer('getnewaddress'));
    const pegIn = await made(payer, await miner('getnewaddress', '', 'mweb'), 2.5);
    await signAndSend(spending(quarter, plain, QUARTER - FEE));
    const txid = await signAndSend(payingToo(pegIn, half, [direct, scriptPubKey], (HALF - FEE) / 2n));
    await signAndSend(spending({ txid, vout: 2 }, behind, HALF / 2n - FEE - FEE));
    const passed = async () =>
      (await watch.told()).flatMap(({ type, deposit_id, passed }) =>
        type === 'guards.completed' ? [[deposit_id, passed]] : [],
      );
    await watch.turns(3);
    expect(await passed()).toEqual([[1, true]]);
    await mine();
    await watch.turns(2);
    expect(await passed()).toEqual([
      [2, true],
      [3, true],
    ]);
  }, 60_000);
});
