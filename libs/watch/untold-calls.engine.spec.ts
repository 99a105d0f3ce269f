import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { brokenTraces } from '../../test/engines/chains/driver/broken-traces.ts';
import { contracts, word } from '../../test/engines/chains/driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('geth');

describeWhere(missing === undefined, missing ?? '')('calls that no node tells', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'ab'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('geth');
  }, 60_000);
  afterAll(() => chain?.stop());

  const watched = async (url = chain.node.url) => {
    const watch = watching(database, 'ETH', [ethereumNode({ url, network: '1337' })], {
      confirmations: [{ from: 0n, need: 1 }],
    });
    await watch.give(deposit, 1);
    await watch.turn();
    return watch;
  };

  it('hold nothing where the transaction failed: the next block is read too', async () => {
    const to = await chain.deploy(contracts.bomb);
    const watch = await watched();
    await chain.run({ to });
    const { txid } = await chain.run({ to: deposit, value: 7n });
    await watch.turns(2);
    expect((await watch.told()).map((fact) => [fact.type, fact.txid, fact.vout])).toEqual([
      ['payment.seen', txid, 0],
      ['payment.confirmed', txid, 0],
    ]);
    expect(await watch.report()).toMatchObject({ held: null, nodes: [{ problem: null }] });
    expect(watch.alerts()).toEqual([]);
  }, 120_000);

  it('hide no payment: it is by the state what it is by the calls, and somebody is told', async () => {
    const to = await chain.deploy(contracts.forwardAndBomb);
    const watch = await watched();
    const [from, gas] = [chain.accounts[0], `0x${(10_000_000).toString(16)}`];
    const call = { from, to, gas, value: '0x2710', data: `0x${word(deposit)}` };
    const txid = await chain.node.rpc<string>('eth_sendTransaction', call);
    const next = await chain.run({ to: deposit, value: 7n });
    await watch.turns(2);
    const told = await watch.told();
    expect(told.filter(({ type }) => type === 'payment.confirmed').map((fact) => [fact.txid, fact.vout])).toEqual([
      [txid, 1],
      [next.txid, 0],
    ]);
    expect(told.find((fact) => fact.txid === txid)).toMatchObject({ amount: '0.00000000000001' });
    expect(await watch.report()).toMatchObject({ held: null, nodes: [{ problem: null }] });
    expect(watch.alerts()).toEqual(['chain_transaction_by_state']);
  }, 120_000);

  it('are not needed for what was burnt, which the state alone shows', async () => {
    const to = await chain.deploy(contracts.burnAndForward);
    const front = await brokenTraces(chain.node.url, 'slow');
    database.atEnd(front.stop);
    const watch = await watched(front.url);
    const [from = ''] = chain.accounts;
    const { txid } = await chain.run({ to, value: 10_000n, data: `0x${word(deposit)}` });
    await watch.turns(2);
    expect((await watch.told()).find((fact) => fact.txid === txid)).toMatchObject({
      ...{ type: 'payment.seen', vout: 1, amount: '0.000000000000004999' },
      funding_addresses: [from, to].map((each) => each.toLowerCase()),
    });
    expect(await watch.report()).toMatchObject({ held: null, nodes: [{ problem: null }] });
    expect(watch.alerts()).toEqual([]);
  }, 120_000);
});
