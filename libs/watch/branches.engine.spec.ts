import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type Watching, watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

const script = (): string => `0014${randomBytes(20).toString('hex')}`;

/** What was told, without what every signal has. */
const factsOf = async (watch: Watching) =>
  (await watch.told()).map(({ type, txid, replaced_by: by }) => (by === undefined ? [type, txid] : [type, txid, by]));

describeWhere(missing === undefined, missing ?? '')('branches that a chain gives up', () => {
  const database = databasePerTest(...addressesTables, migrations);
  let chain: UtxoChain;
  let node: ChainNode;
  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    node = bitcoinLikeNode({ url: chain.node.url, coin: 'BTC', network: 'regtest' });
  }, 60_000);
  afterAll(() => chain?.stop());

  const opened = async (of: ChainNode = node, deposit = script()) => {
    const watch = watching(database, 'BTC', [of]);
    await watch.give(deposit, 1);
    return { watch, deposit };
  };

  /** What is kept of the payments, for whoever asks later who took their place. */
  const kept = async () =>
    (await database.pool.query('SELECT txid, state, replaced_by FROM chain_payments ORDER BY id')).rows;

  it('are walked back though the watcher began on one of them', async () => {
    await chain.mine(3);
    const { watch } = await opened();
    await watch.turn();
    await chain.reorganise(3);
    await watch.turns(2);
    const tip = await node.tip();
    expect(await watch.report()).toMatchObject({ hash: tip.hash, height: tip.height, held: null });
  });

  it.each([1, 2, 6])('%i deep: what was confirmed is told to be so no more, and once more elsewhere', async (depth) => {
    const { watch, deposit } = await opened();
    await watch.turn();
    const signed = chain.payment([{ script: deposit, amount: 70_000n }]);
    await chain.send(signed);
    await watch.turn();
    await chain.mine(depth);
    await watch.turns(2);
    await chain.reorganise(depth);
    await watch.turns(2);
    expect(await factsOf(watch)).toEqual([
      ['payment.seen', signed.txid],
      ['payment.confirmed', signed.txid],
      ['payment.reorged', signed.txid],
      ['payment.confirmed', signed.txid],
    ]);
  });

  it('end a payment by what spends the coins of its ancestor elsewhere, though both were first seen in a block', async () => {
    const { watch, deposit } = await opened();
    await watch.turn();
    const coin = chain.coin();
    const parent = chain.payment([{ script: chain.wallet.script, amount: 1_000_000n }], { coin });
    const child = chain.payment([{ script: deposit, amount: 60_000n }], {
      coin: { txid: parent.txid, vout: 0, amount: 1_000_000n },
    });
    const fork = await chain.node.rpc<number>('getblockcount');
    await chain.mineOnly([parent]);
    await chain.mineOnly([child]);
    await watch.turns(2);
    const thief = chain.payment([{ script: script(), amount: 50_000n }], { coin });
    await chain.node.rpc('invalidateblock', await chain.node.rpc('getblockhash', fork + 1));
    await chain.mineOnly([thief]);
    await chain.mine(2);
    await watch.turns(2);
    expect(await factsOf(watch)).toEqual([
      ['payment.seen', child.txid],
      ['payment.confirmed', child.txid],
      ['payment.reorged', child.txid],
      ['payment.double_spent', child.txid, thief.txid],
    ]);
    expect(await kept()).toEqual([{ txid: child.txid, state: 'replaced', replaced_by: thief.txid }]);
  });

  it('end a payment in no block by what spends the coins of an ancestor that was in one', async () => {
    const { watch, deposit } = await opened();
    await watch.turn();
    const coin = chain.coin();
    const parent = chain.payment([{ script: chain.wallet.script, amount: 1_000_000n }], { coin });
    const child = chain.payment([{ script: deposit, amount: 60_000n }], {
      coin: { txid: parent.txid, vout: 0, amount: 1_000_000n },
    });
    const hash = await chain.mineOnly([parent]);
    await chain.send(child);
    await watch.turns(2);
    const thief = chain.payment([{ script: script(), amount: 50_000n }], { coin });
    await chain.node.rpc('invalidateblock', hash);
    await chain.mineOnly([thief]);
    await chain.mine();
    await watch.turns(2);
    expect(await factsOf(watch)).toEqual([
      ['payment.seen', child.txid],
      ['payment.double_spent', child.txid, thief.txid],
    ]);
  });

  it('end a payment that was seen while its ancestor was in a block that came and went between two looks', async () => {
    const between: (() => Promise<unknown>)[] = [];
    const moved: ChainNode = {
      ...node,
      mempool: async () => {
        await between.shift()?.();
        return node.mempool();
      },
    };
    const { watch, deposit } = await opened(moved);
    const coin = chain.coin();
    const parent = chain.payment([{ script: chain.wallet.script, amount: 1_000_000n }], { coin });
    const child = chain.payment([{ script: deposit, amount: 60_000n }], {
      coin: { txid: parent.txid, vout: 0, amount: 1_000_000n },
    });
    await chain.send(parent);
    await watch.turn();
    await chain.send(child);
    let hash = '';
    between.push(async () => {
      hash = await chain.mineOnly([parent]);
    });
    await watch.turn();
    const thief = chain.payment([{ script: script(), amount: 50_000n }], { coin });
    await chain.node.rpc('invalidateblock', hash);
    await chain.mineOnly([thief]);
    await chain.mine();
    await watch.turns(2);
    expect((await kept()).filter(({ state }) => state !== 'replaced')).toEqual([]);
  });

  it('bring a payment back that lost to a block of theirs, though it never left the mempool as far as was looked', async () => {
    let between: (() => Promise<unknown>) | undefined;
    const moved: ChainNode = {
      ...node,
      mempool: async () => {
        const happens = between;
        between = undefined;
        await happens?.();
        return node.mempool();
      },
    };
    const { watch, deposit } = await opened(moved);
    await watch.turn();
    const signed = chain.payment([{ script: deposit, amount: 70_000n }]);
    const [coin = chain.coin()] = signed.coins;
    const thief = chain.payment([{ script: script(), amount: 50_000n }], { coin });
    await chain.send(signed);
    await watch.turn();
    const hash = await chain.mineOnly([thief]);
    // The block is there when the watcher looks at it, and gone when it looks at the mempool.
    between = async () => {
      await chain.node.rpc('invalidateblock', hash);
      await chain.node.rpc('invalidateblock', await chain.mineOnly([signed]));
    };
    await watch.turn();
    await chain.mineOnly([]);
    await chain.mineOnly([]);
    await watch.turns(2);
    expect(await kept()).toMatchObject([{ txid: signed.txid, replaced_by: null }]);
    const facts = await factsOf(watch);
    expect(facts.slice(0, 3)).toEqual([
      ['payment.seen', signed.txid],
      ['payment.double_spent', signed.txid, thief.txid],
      ['payment.seen', signed.txid],
    ]);
  });

  it('that part below the first block that is kept hold the chain, until they are given up', async () => {
    const { watch } = await opened();
    await watch.turn();
    await database.pool.query('DELETE FROM chain_blocks WHERE height < (SELECT height FROM chain_tips)');
    const { hash, height } = await node.tip();
    await chain.reorganise(2);
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({
      hash,
      height,
      held: { reason: expect.stringMatching('parts below block') },
    });
    expect(watch.alerts().filter((alert) => alert === 'chain_held')).toHaveLength(1);
    await chain.node.rpc('invalidateblock', await chain.node.rpc('getblockhash', height - 1));
    await chain.node.rpc('reconsiderblock', hash);
    await chain.node.rpc('preciousblock', hash);
    await watch.turns(2);
    expect(await watch.report()).toMatchObject({ hash, held: null });
  });
});
