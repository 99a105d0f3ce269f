import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, ethereumNode } from '#chains';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('anvil');

/** Runs into an instruction that there is none of. */
const FAILING = 'fe';

describeWhere(missing === undefined, missing ?? '')('a block of a node of Ethereum', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = `0x${'cd'.repeat(20)}`;
  const elsewhere = `0x${'ef'.repeat(20)}`;
  let chain: EthereumChain;
  beforeAll(async () => {
    chain = await startEthereumChain('anvil');
  }, 60_000);
  afterAll(() => chain?.stop());

  const nodeNamed = (name: string): ChainNode => ({
    ...ethereumNode({ url: chain.node.url, network: '31337' }),
    name,
  });

  it('tells what it spends without its calls, and what came off in it or to nothing', async () => {
    const [, payer = ''] = chain.accounts;
    const node = nodeNamed('anvil');
    const fails = await chain.deploy(FAILING);
    const sent = await chain.run({ to: elsewhere, value: 1n, from: payer });
    const failed = await chain.run({ to: fails, value: 1n, from: payer });
    expect(await node.spending?.(sent.blockHash)).toMatchObject([
      { txid: sent.txid, inputs: [`${payer.toLowerCase()}:0`] },
    ]);
    expect(await node.spending?.(`0x${'00'.repeat(32)}`)).toBeUndefined();
    expect(await Promise.all([sent, failed].map(({ txid }) => node.landed?.(txid)))).toEqual([
      sent.blockHash,
      undefined,
    ]);
    expect(await Promise.all([sent, failed].map(({ txid }) => node.failed?.(txid)))).toEqual([
      undefined,
      failed.blockHash,
    ]);
    const unknown = `0x${'00'.repeat(32)}`;
    expect([await node.landed?.(unknown), await node.failed?.(unknown)]).toEqual([undefined, undefined]);
  });

  it('does not hide what took the place of a payment where two others show it', async () => {
    const [, , payer = ''] = chain.accounts;
    const [liar, ...honest] = [nodeNamed('liar'), nodeNamed('b'), nodeNamed('c')];
    const hidden = new Set<string>();
    const block: ChainNode['block'] = async (hash) => {
      const there = await liar?.block(hash);
      return there && { ...there, transactions: there.transactions.filter(({ txid }) => !hidden.has(txid)) };
    };
    const nodes = [{ ...honest[0], ...liar, block } as ChainNode, ...honest];
    const watch = watching(database, 'ETH', nodes, { agree: 2, isFast: async () => true });
    await watch.give(deposit, 1);
    await chain.run({ to: elsewhere, value: 1n });
    await watch.turn();
    const paid = await chain.send({ to: deposit, value: 70_000n, from: payer, nonce: 0 });
    await watch.turns(2);
    expect(await watch.told()).toMatchObject([{ txid: paid }, { type: 'guards.completed', passed: true }]);
    await chain.node.rpc('anvil_dropTransaction', paid);
    const thief = await chain.send({ to: elsewhere, value: 1n, from: payer, nonce: 0 });
    hidden.add(thief);
    await chain.mine();
    await watch.turns(2);
    expect(await watch.told()).toMatchObject([{ type: 'payment.double_spent', txid: paid, replaced_by: thief }]);
    expect(watch.alerts()).toContain('chain_spending_differs');
  });
});
