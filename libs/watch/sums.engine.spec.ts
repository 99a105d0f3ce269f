import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { contracts, word } from '../../test/engines/chains/driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('anvil');

describeWhere(missing === undefined, missing ?? '')('a sum that a contract passes on', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'ab'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('anvil');
  }, 60_000);
  afterAll(() => chain?.stop());

  it('is another payment when its transaction is mined again and passes on another one', async () => {
    const watch = watching(database, 'ETH', [ethereumNode({ url: chain.node.url, network: '31337' })]);
    await watch.give(deposit, 1);
    const to = await chain.deploy(contracts.less);
    await watch.turn();
    const { txid } = await chain.run({ to, value: 10_000n, data: `0x${word(deposit)}` });
    const raw = await chain.node.rpc<string>('eth_getRawTransactionByHash', txid);
    await watch.turns(2);
    await chain.node.rpc('anvil_rollback', 1);
    await chain.mine(3);
    await chain.node.rpc('eth_sendRawTransaction', raw).catch(() => undefined);
    await chain.mine();
    await watch.turns(3);
    const facts = (await watch.told()).map(({ type, vout, amount }) =>
      amount === undefined ? [type, vout] : [type, vout, amount],
    );
    expect(facts).toEqual([
      ['payment.seen', 1, '0.000000000000009998'],
      ['payment.confirmed', 1],
      ['payment.reorged', 1],
      ['payment.dropped', 1],
      ['payment.seen', 3, '0.000000000000009995'],
      ['payment.confirmed', 3],
    ]);
  });
});
