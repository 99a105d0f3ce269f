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

describeWhere(missing === undefined, missing ?? '')(
  'three nodes of which the one that is read missed a payment',
  () => {
    const database = databasePerTest(...addressesTables, migrations);
    let chain: UtxoChain;
    let emptied: RunningNode;
    let third: RunningNode;

    beforeAll(async () => {
      chain = await startUtxoChain('bitcoind');
      emptied = await startNode('bitcoind');
      third = await startNode('bitcoind');
      for (const node of [emptied, third]) await node.rpc('setnetworkactive', false);
      const top = await chain.node.rpc<number>('getblockcount');
      for (let height = 1; height <= top; height += 1) {
        const block = await chain.node.rpc('getblock', await chain.node.rpc('getblockhash', height), 0);
        for (const node of [emptied, third]) await node.rpc('submitblock', block);
      }
    }, 120_000);
    afterAll(async () => {
      await chain?.stop();
      await emptied?.stop();
      await third?.stop();
    });

    it('see it when the others had it, and let its fast deposit pass once that one was sent it', async () => {
      const nodes = [emptied, chain.node, third].map(({ url }) =>
        bitcoinLikeNode({ url, coin: 'BTC', network: 'regtest' }),
      );
      const watch = watching(database, 'BTC', nodes, { agree: 2, isFast: async () => true });
      const script = `0014${randomBytes(20).toString('hex')}`;
      await watch.give(script, 1);
      await watch.turn();
      const { txid, hex } = chain.payment([{ script, amount: 70_000n }]);
      for (const node of [chain.node, third]) await node.rpc('sendrawtransaction', hex);
      await watch.turn();
      expect(await watch.told()).toEqual([]);
      const from = Date.now();
      await watch.listElsewhere();
      watch.pass(600_000);
      await watch.turn();
      const told = await watch.told();
      expect(told).toMatchObject([
        { type: 'payment.seen', txid },
        { type: 'guards.completed', passed: true },
      ]);
      expect(new Date(String(told[0]?.at)).getTime() - from).toBeLessThan(300_000);
      expect([await emptied.rpc('getrawmempool'), watch.alerts()]).toEqual([[txid], []]);
    });
  },
);
