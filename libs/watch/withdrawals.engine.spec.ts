import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { eventually } from '../../test/acceptance/harness/waiting.ts';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('geth');

describeWhere(missing === undefined, missing ?? '')('what a validator withdraws to the address of a deposit', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'ab'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('geth');
  }, 90_000);
  afterAll(() => chain?.stop());

  it('is credited to nobody, and told of', async () => {
    const node = ethereumNode({ url: chain.node.url, network: '1337' });
    // Its first block is as old as the times of computers.
    const watch = watching(database, 'ETH', [node], { headMaxAgeMs: Number.POSITIVE_INFINITY });
    await watch.give(deposit, 1);
    // At block 0 it says the same as one that has not begun to fetch any.
    await chain.run({ to: chain.accounts[0] ?? deposit, value: 1n });
    await watch.turn();
    const { height } = (await watch.report()) ?? {};
    const [index, validatorIndex, amount] = ['0x1', '0x1', `0x${(64_000_000).toString(16)}`];
    await chain.node.rpc('dev_addWithdrawal', { index, validatorIndex, address: deposit, amount });
    const balance = () => chain.node.rpc<string>('eth_getBalance', deposit, 'latest');
    await eventually(balance, (there) => there !== '0x0', 20_000);
    await watch.turns(2);
    expect(watch.alarms()).toMatchObject([
      { alert: 'chain_paid_without_transaction', height: Number(height) + 1, deposit: 1, amount: '0.064' },
    ]);
    expect(await watch.told()).toEqual([]);
  });
});
