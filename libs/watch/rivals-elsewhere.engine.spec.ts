import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode } from '#chains';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

describeWhere(missing === undefined, missing ?? '')('three nodes of which one replaces what signals it alone', () => {
  const database = databasePerTest(...addressesTables, migrations);
  let chain: UtxoChain;
  let keeping: RunningNode;
  let third: RunningNode;

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    keeping = await startNode('bitcoind', ['-mempoolreplacement=fee,optin']);
    third = await startNode('bitcoind');
    const top = await chain.node.rpc<number>('getblockcount');
    for (let height = 1; height <= top; height += 1) {
      const block = await chain.node.rpc('getblock', await chain.node.rpc('getblockhash', height), 0);
      for (const node of [keeping, third]) await node.rpc('submitblock', block);
    }
  }, 120_000);
  afterAll(async () => {
    await chain?.stop();
    await keeping?.stop();
    await third?.stop();
  });

  it('end a payment that two of them have replaced, though the one that is read keeps it', async () => {
    const all = [keeping, chain.node, third];
    const nodes = all.map(({ url }) => bitcoinLikeNode({ url, coin: 'BTC', network: 'regtest' }));
    const watch = watching(database, 'BTC', nodes, { agree: 2, isFast: async () => true });
    const script = `0014${randomBytes(20).toString('hex')}`;
    await watch.give(script, 1);
    await watch.turn();
    const coin = chain.coin();
    const { txid, hex } = chain.payment([{ script, amount: 70_000n }], { coin });
    for (const node of all) await node.rpc('sendrawtransaction', hex);
    await watch.turns(2);
    const judged = [
      { type: 'payment.seen', txid },
      { type: 'guards.completed', passed: true },
    ];
    expect(await watch.told()).toMatchObject(judged);
    const rival = chain.payment([{ script: chain.wallet.script, amount: 1_000n }], { coin, fee: 200_000n });
    await expect(keeping.rpc('sendrawtransaction', rival.hex)).rejects.toThrow();
    for (const node of [chain.node, third]) await node.rpc('sendrawtransaction', rival.hex);
    watch.pass(15_000);
    await watch.turn();
    expect(await keeping.rpc('getrawmempool')).toEqual([txid]);
    expect(await watch.told()).toMatchObject([{ type: 'payment.double_spent', txid, replaced_by: rival.txid }]);
  });
});
