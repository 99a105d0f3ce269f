import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { type Signed, startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

describeWhere(missing === undefined, missing ?? '')('the guards of a deposit that may count unconfirmed', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0014${randomBytes(20).toString('hex')}`;
  let chain: UtxoChain;
  let node: ChainNode;
  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind', 2);
    node = bitcoinLikeNode({ url: chain.node.url, coin: 'BTC', network: 'regtest' });
  }, 60_000);
  afterAll(() => chain?.stop());

  const pay = (how?: Parameters<UtxoChain['payment']>[1]): Signed =>
    chain.payment([{ script: deposit, amount: 70_000n }], how);

  /** What the guards said of these, in their order. */
  const judged = async (payments: readonly Signed[], options: Parameters<typeof watching>[3] = {}, of = node) => {
    const watch = watching(database, 'BTC', [of], { isFast: async () => true, ...options });
    await watch.give(deposit, 1);
    await watch.turn();
    for (const signed of payments) await chain.send(signed);
    await watch.turns(2);
    await chain.mine();
    return (await watch.told()).flatMap(({ type, passed, reason, replaceable }) =>
      type === 'guards.completed' ? [[passed, reason]] : [[type, replaceable]],
    );
  };

  it('pass what is final and pays for its place', async () => {
    expect(await judged([pay()])).toEqual([
      ['payment.seen', false],
      [true, null],
    ]);
  });

  it('are asked for nothing else', async () => {
    expect(await judged([pay()], { isFast: async () => false })).toEqual([['payment.seen', false]]);
  });

  it('refuse what says that it may be replaced', async () => {
    expect(await judged([pay({ replaceable: true })])).toEqual([
      ['payment.seen', true],
      [false, expect.stringMatching('says that it may be replaced')],
    ]);
  });

  it('refuse what leans on an unconfirmed one that says so', async () => {
    const parent = chain.payment([{ script: chain.wallet.script, amount: 1_000_000n }], { replaceable: true });
    const child = pay({ coin: { txid: parent.txid, vout: 0, amount: 1_000_000n } });
    expect(await judged([parent, child])).toEqual([
      ['payment.seen', true],
      [false, expect.stringMatching('an unconfirmed one before it says')],
    ]);
  });

  /** More than a block takes: what pays little waits. */
  const crowd = async (): Promise<void> => {
    for (let nth = 0; nth < 14; nth += 1) {
      const many = Array.from({ length: 2_400 }, () => ({ script: chain.wallet.script, amount: 5_000n }));
      await chain.send(chain.payment(many, { fee: 900_000n }));
    }
  };

  it('refuse all while more waits than a block takes and the node has no estimate', async () => {
    await crowd();
    expect(await judged([pay()])).toEqual([
      ['payment.seen', false],
      [false, 'the node has no estimate of fees'],
    ]);
    while ((await node.mempool()).length > 0) await chain.mine();
  }, 60_000);

  it('refuse what pays less than the node estimates for the next blocks', async () => {
    const known = async () => 'feerate' in (await chain.node.rpc<object>('estimatesmartfee', 3));
    for (let blocks = 0; blocks < 30 && !(await known()); blocks += 1) {
      for (let nth = 0; nth < 8; nth += 1)
        await chain.send(chain.payment([{ script: chain.wallet.script, amount: 5_000n }], { fee: 40_000n }));
      await chain.mine();
    }
    await crowd();
    expect(await judged([pay({ fee: 1_000n })])).toEqual([
      ['payment.seen', false],
      [false, 'the fee rate is below the estimate for the next blocks'],
    ]);
    expect((await judged([pay({ fee: 90_000n })])).at(-1)).toEqual([true, null]);
  }, 60_000);

  it('refuse what pays well, and leans on an unconfirmed one that pays too little for both', async () => {
    await crowd();
    const crumbs = Array.from({ length: 1_000 }, () => ({ script: chain.wallet.script, amount: 5_000n }));
    const own = { script: chain.wallet.script, amount: 1_000_000n };
    const parent = chain.payment([own, ...crumbs], { fee: 40_000n });
    const child = pay({ coin: { txid: parent.txid, vout: 0, amount: own.amount }, fee: 20_000n });
    expect(await judged([parent, child])).toEqual([
      ['payment.seen', false],
      [false, 'the fee rate is below the estimate for the next blocks'],
    ]);
  }, 60_000);

  it('refuse all of them where an operator wants no such risk', async () => {
    expect(await judged([pay()], { fullRbf: 'refuse' })).toEqual([
      ['payment.seen', false],
      [false, expect.stringMatching('FAST_UNDER_FULL_RBF refuses them all')],
    ]);
  });
});
