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

  it('is missed by no node that does not show it: the state tells, and the block waits for one that does', async () => {
    const front = await brokenTraces(chain.node.url, 'shallow');
    database.atEnd(front.stop);
    const blind = watching(database, 'ETH', [ethereumNode({ url: front.url, network: '31337' })]);
    await blind.give(deposit, 1);
    await blind.turn();
    const { height } = (await blind.report()) ?? {};
    const to = await chain.deploy(contracts.forward);
    const { txid } = await chain.run({ to, value: 10_000n, data: `0x${word(deposit)}` });
    await blind.turns(2);
    expect(await blind.report()).toMatchObject({
      height: Number(height) + 1,
      held: { reason: `${txid} pays ${deposit} 0 by its calls and 10000 by the state: one of them is wrong` },
    });
    expect([await blind.told(), blind.alerts()]).toEqual([[], ['chain_held']]);
    const watch = watching(database, 'ETH', [ethereumNode({ url: chain.node.url, network: '31337' })]);
    await watch.turns(2);
    expect((await watch.told()).map(({ type, vout }) => [type, vout])).toEqual([
      ['payment.seen', 1],
      ['payment.confirmed', 1],
    ]);
    expect(await watch.report()).toMatchObject({ held: null });
  });

  it('is told at once where one of three nodes does not show it, and that one is told of', async () => {
    const front = await brokenTraces(chain.node.url, 'shallow');
    database.atEnd(front.stop);
    const named = (name: string, url = chain.node.url) => ({ ...ethereumNode({ url, network: '31337' }), name });
    const nodes = [named('first', front.url), named('second'), named('third')];
    const watch = watching(database, 'ETH', nodes, { agree: 2 });
    await watch.give(deposit, 1);
    await watch.turn();
    const to = await chain.deploy(contracts.forward);
    await chain.run({ to, value: 10_000n, data: `0x${word(deposit)}` });
    await watch.turns(2);
    expect((await watch.told()).map(({ type, vout }) => [type, vout])).toEqual([
      ['payment.seen', 1],
      ['payment.confirmed', 1],
    ]);
    expect(watch.alerts()).toEqual(['chain_node']);
    expect(await watch.report()).toMatchObject({
      held: null,
      nodes: [{ name: 'first', state: 'unreachable' }, { state: 'ok' }, { state: 'ok' }],
    });
  });
});
