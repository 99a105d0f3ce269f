import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { authorisation } from '../../test/engines/chains/driver/authorisation.ts';
import { contracts } from '../../test/engines/chains/driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('anvil');

describeWhere(missing === undefined, missing ?? '')('a payment in ETH that waits', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'cd'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('anvil', ['--hardfork', 'prague']);
  }, 60_000);
  afterAll(() => chain?.stop());

  const watched = async (address = deposit) => {
    const node = ethereumNode({ url: chain.node.url, network: '31337' });
    const watch = watching(database, 'ETH', [node], { isFast: async () => true });
    await watch.give(address, 1);
    await watch.turn();
    return watch;
  };

  const told = async (watch: Awaited<ReturnType<typeof watched>>) =>
    (await watch.told()).map(({ type, passed, replaced_by: by }) => [type, passed ?? by]);

  const RIVAL_FEE = { maxFeePerGas: '0x14f46b0400', maxPriorityFeePerGas: '0xba43b7400', gas: '0x30d40' };

  it('may not count while another waits that takes its number by an authorisation of its sender', async () => {
    const [, from = '', other = ''] = chain.accounts;
    const watch = await watched();
    const authorizationList = [authorisation('11'.repeat(20))];
    const lending = { from: other, to: other, ...RIVAL_FEE, authorizationList };
    const rival = await chain.node.rpc('eth_sendTransaction', lending);
    const paid = await chain.send({ to: deposit, value: 70_000n, from, nonce: 0, tip: 1n });
    await watch.turn();
    expect(await told(watch)).toEqual([
      ['payment.seen', undefined],
      ['guards.completed', false],
    ]);
    for (const each of [rival, paid]) await chain.node.rpc('anvil_dropTransaction', each);
  });

  it('counts once it is in a block where it pays an account with code, which may want more gas', async () => {
    const [, , , , , from = ''] = chain.accounts;
    const forwarder = (await chain.deploy(contracts.forward)).toLowerCase();
    const watch = await watched(forwarder);
    await chain.send({ to: forwarder, value: 70_000n, from, nonce: 0, tip: 1n });
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.seen', undefined]]);
    await chain.mine();
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.confirmed', undefined]]);
  });

  it('is double-spent by an authorisation of its sender that takes its number', async () => {
    const [, from = '', other = ''] = chain.accounts;
    const watch = await watched();
    const paid = await chain.send({ to: deposit, value: 70_000n, from, nonce: 0, tip: 1n });
    await watch.turn();
    expect(await told(watch)).toEqual([
      ['payment.seen', undefined],
      ['guards.completed', true],
    ]);
    const authorizationList = [authorisation('11'.repeat(20))];
    const lending = { from: other, to: other, ...RIVAL_FEE, authorizationList };
    const rival = await chain.node.rpc('eth_sendTransaction', lending);
    // Anvil mines what came first; whoever builds blocks takes what pays more.
    await chain.node.rpc('anvil_dropTransaction', paid);
    await chain.mine();
    await watch.turn();
    expect(await told(watch)).toEqual([['payment.double_spent', rival]]);
  });

  it('counts once it is in a block where its sender is run by code that others may call', async () => {
    const [, , , from = ''] = chain.accounts;
    const drain = await chain.deploy(contracts.destroy);
    await chain.node.rpc('anvil_setCode', from, `0xef0100${drain.slice(2)}`);
    const watch = await watched();
    await chain.send({ to: deposit, value: 70_000n, from, nonce: 0, tip: 1n });
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.seen', undefined]]);
    await chain.mine();
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.confirmed', undefined]]);
  });

  it('counts once it is in a block where it offers less than the next one may ask for', async () => {
    const [, , , , from = ''] = chain.accounts;
    const watch = await watched();
    const head = await chain.node.rpc<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false);
    const fee = { gas: '0x5208', maxFeePerGas: head.baseFeePerGas, maxPriorityFeePerGas: '0x1' };
    await chain.node.rpc('eth_sendTransaction', { from, to: deposit, value: '0x11170', ...fee });
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.seen', undefined]]);
    await chain.mine();
    await watch.turns(2);
    expect(await told(watch)).toEqual([['payment.confirmed', undefined]]);
  });
});
