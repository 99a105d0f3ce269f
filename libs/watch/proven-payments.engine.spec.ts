import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { lyingPool } from '../../test/engines/chains/driver/lying-pool.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('anvil');

describeWhere(missing === undefined, missing ?? '')('a payment in ETH of which the node that is read lies', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'cd'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('anvil');
  }, 60_000);
  afterAll(() => chain?.stop());

  it('is from whom its bytes say, and what takes the number of another ends nothing', async () => {
    const [, payer = '', stranger = ''] = chain.accounts;
    const front = await lyingPool(chain.node.url, payer, { from: stranger, nonce: '0x0' });
    database.atEnd(front.stop);
    const urls = { liar: front.url, second: chain.node.url, third: chain.node.url };
    const nodes = Object.entries(urls).map(([name, url]) => ({ ...ethereumNode({ url, network: '31337' }), name }));
    const watch = watching(database, 'ETH', nodes, { agree: 2, isFast: async () => true });
    await watch.give(deposit, 1);
    await chain.run({ to: `0x${'ef'.repeat(20)}`, value: 1n, from: payer });
    await watch.turn();
    const paid = await chain.send({ to: deposit, value: 70_000n, from: payer });
    await watch.turns(2);
    expect(await watch.told()).toMatchObject([
      { type: 'payment.seen', txid: paid, funding_addresses: [payer.toLowerCase()] },
      { type: 'guards.completed', passed: true },
    ]);
    expect(watch.alerts()).toEqual(['chain_transaction_contradicted']);
    await chain.node.rpc('anvil_dropTransaction', paid);
    const raw = await chain.run({ to: `0x${'ef'.repeat(20)}`, value: 1n, from: stranger, nonce: 0 });
    await watch.turns(2);
    expect([raw.txid === paid, await watch.told()]).toEqual([false, []]);
  });
});
