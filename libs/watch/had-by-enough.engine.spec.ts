import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

/** Within the signature, which no name covers. */
const SPOILED_FROM_END = 100;

const spoil = (hex: string): string => {
  const at = hex.length - SPOILED_FROM_END;
  return `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
};

/** It has what it was sent alone, and gives it with a witness that is not right. */
const spoiling = (node: ChainNode): ChainNode => ({
  ...node,
  transactions: async (txids) =>
    (await node.transactions(txids)).map((each) => ({ ...each, raw: () => spoil(each.raw?.() ?? '') })),
});

describeWhere(missing === undefined, missing ?? '')('a payment that the node that is read has alone', () => {
  const database = databasePerTest(...addressesTables, migrations);
  let chain: UtxoChain;
  let apart: RunningNode;
  let third: RunningNode;

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    apart = await startNode('bitcoind');
    third = await startNode('bitcoind');
    for (const node of [apart, third]) await node.rpc('setnetworkactive', false);
    const top = await chain.node.rpc<number>('getblockcount');
    for (let height = 1; height <= top; height += 1) {
      const block = await chain.node.rpc('getblock', await chain.node.rpc('getblockhash', height), 0);
      for (const node of [apart, third]) await node.rpc('submitblock', block);
    }
  }, 120_000);
  afterAll(async () => {
    await chain?.stop();
    await apart?.stop();
    await third?.stop();
  });

  const paidAt = async (read: (node: ChainNode) => ChainNode) => {
    const [first, ...others] = [apart, chain.node, third].map(({ url }) =>
      bitcoinLikeNode({ url, coin: 'BTC', network: 'regtest' }),
    );
    const watch = watching(database, 'BTC', first ? [read(first), ...others] : [], { agree: 2 });
    const script = `0014${randomBytes(20).toString('hex')}`;
    await watch.give(script, 1);
    await watch.turn();
    const { txid, hex } = chain.payment([{ script, amount: 70_000n }]);
    await apart.rpc('sendrawtransaction', hex);
    const from = Date.now();
    await watch.turn();
    return { watch, txid, hex, from };
  };

  it('is seen in the same turn, as the others take it', async () => {
    const { watch, txid } = await paidAt((node) => node);
    expect(await watch.told()).toMatchObject([{ type: 'payment.seen', txid }]);
    for (const { rpc } of [chain.node, third]) expect(await rpc('getrawmempool')).toContain(txid);
  });

  it('with a witness that they refuse is seen when they are sent it as it is right', async () => {
    const { watch, txid, hex, from } = await paidAt(spoiling);
    watch.pass(9_000_000);
    await watch.turn();
    expect(await watch.told()).toEqual([]);
    for (const { rpc } of [chain.node, third]) await rpc('sendrawtransaction', hex);
    await watch.turn();
    const told = await watch.told();
    expect(told).toMatchObject([{ type: 'payment.seen', txid }]);
    expect(new Date(String(told[0]?.at)).getTime() - from).toBeGreaterThanOrEqual(9_000_000);
    const { rows } = await database.pool.query<{ raw: string }>('SELECT raw FROM chain_payments');
    expect(rows).toEqual([{ raw: hex }]);
  });
});
