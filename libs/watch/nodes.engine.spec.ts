import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { eventually } from '../../test/acceptance/harness/waiting.ts';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type Watching, watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

const script = (): string => `0014${randomBytes(20).toString('hex')}`;

const typesOf = async (watch: Watching) => (await watch.told()).map(({ type }) => type);

describeWhere(missing === undefined, missing ?? '')('nodes that cannot be trusted', () => {
  const database = databasePerTest(...addressesTables, migrations);
  let chain: UtxoChain;
  let second: RunningNode;
  let node: ChainNode;
  let other: ChainNode;

  const nodeAt = ({ url }: RunningNode, network = 'regtest'): ChainNode =>
    bitcoinLikeNode({ url, coin: 'BTC', network });
  const heads = (one: RunningNode, two: RunningNode) =>
    Promise.all([one.rpc<string>('getbestblockhash'), two.rpc<string>('getbestblockhash')]);
  /** They lose each other by a clock that jumps, or by being frozen: whoever does not follow is called again. */
  const untilSame = async (one = chain.node, two = second) => {
    const same = async () => {
      const [here, there] = await heads(one, two);
      if (here !== there) await two.rpc('addnode', `127.0.0.1:${one.peerPort}`, 'onetry');
      return here === there;
    };
    expect(await eventually(same, (is) => is, 20_000)).toBe(true);
  };

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    second = await startNode('bitcoind');
    [node, other] = [nodeAt(chain.node), nodeAt(second)];
    await untilSame();
  }, 60_000);
  afterAll(async () => {
    await chain?.stop();
    await second?.stop();
  });

  const opened = async (nodes: readonly ChainNode[], options?: Parameters<typeof watching>[3]) => {
    const watch = watching(database, 'BTC', nodes, options);
    const deposit = script();
    await watch.give(deposit, 1);
    await watch.turn();
    const pay = async (amount = 70_000n) => {
      const signed = chain.payment([{ script: deposit, amount }]);
      await chain.send(signed);
      return signed;
    };
    return { watch, pay };
  };
  const statesOf = async (watch: Watching) => (await watch.report())?.nodes.map(({ state }) => state);

  it('confirm nothing while they do not agree, and by themselves when they do', async () => {
    const { watch, pay } = await opened([node, other], { agree: 2 });
    await second.rpc('setnetworkactive', false);
    await pay();
    await watch.turn();
    await chain.mine();
    await watch.turns(3);
    expect(await typesOf(watch)).toEqual(['payment.seen']);
    await second.rpc('generatetoaddress', 1, chain.wallet.address('bcrt'));
    for (let looks = 0; looks < 6; looks += 1) await watch.lookAround();
    expect(watch.alerts()).toContain('chain_node');
    expect(await statesOf(watch)).toEqual(expect.arrayContaining(['ok', 'elsewhere']));
    expect(await typesOf(watch)).toEqual([]);
    await second.rpc('setnetworkactive', true);
    await chain.mine();
    await untilSame();
    await watch.turns(2);
    expect(await typesOf(watch)).toEqual(['payment.confirmed']);
    expect(await statesOf(watch)).toEqual(['ok', 'ok']);
  });

  it('confirm with one of them when one is enough', async () => {
    const { watch, pay } = await opened([node, other]);
    await second.rpc('setnetworkactive', false);
    await pay();
    await chain.mine();
    await watch.turns(2);
    expect(await typesOf(watch)).toEqual(['payment.seen', 'payment.confirmed']);
    await second.rpc('setnetworkactive', true);
    await untilSame();
  });

  it('end no payment by a rival of which one of them alone has heard, until another has', async () => {
    const { watch, pay } = await opened([node, other], { agree: 2 });
    const { txid, coins } = await pay();
    const isThere = async () => (await second.rpc<string[]>('getrawmempool')).includes(txid);
    expect(await eventually(isThere, (is) => is, 20_000)).toBe(true);
    await watch.turn();
    await second.rpc('setnetworkactive', false);
    const [coin] = coins;
    if (!coin) throw new Error('it spends nothing');
    const rival = chain.payment([{ script: chain.wallet.script, amount: 50_000n }], { coin, fee: 90_000n });
    await chain.send(rival);
    await watch.turns(3);
    expect(await typesOf(watch)).toEqual(['payment.seen']);
    await second.rpc('sendrawtransaction', rival.hex);
    await watch.turns(2);
    expect(await watch.told()).toMatchObject([{ type: 'payment.double_spent', txid, replaced_by: rival.txid }]);
    await second.rpc('setnetworkactive', true);
    await chain.mine();
    await untilSame();
  });

  it('confirm nothing with a head that is too old, which is told within a look, until there is a new one', async () => {
    const { watch, pay } = await opened([node], { headMaxAgeMs: 5_400_000 });
    await pay();
    await chain.mine();
    watch.pass(5_500_000);
    await watch.turns(2);
    expect([await typesOf(watch), watch.alerts()]).toEqual([['payment.seen'], ['chain_node']]);
    expect((await watch.report())?.nodes).toMatchObject([
      { state: 'stale', problem: expect.stringMatching(/9[12] min old/) },
    ]);
    await chain.node.rpc('setmocktime', Math.floor(Date.now() / 1_000) + 5_500);
    await chain.mine();
    await watch.turns(2);
    expect([await typesOf(watch), await statesOf(watch)]).toEqual([['payment.confirmed'], ['ok']]);
    await chain.node.rpc('setmocktime', 0);
  });

  it('are told of when they answer nothing, and another is read meanwhile', async () => {
    const { watch, pay } = await opened([node, other]);
    await pay();
    await chain.mine();
    await untilSame();
    chain.node.freeze();
    try {
      const since = performance.now();
      await watch.lookAround();
      expect(watch.alerts()).toEqual(['chain_node']);
      expect(performance.now() - since).toBeLessThan(30_000);
      await watch.turns(2);
      expect(await typesOf(watch)).toEqual(['payment.seen', 'payment.confirmed']);
    } finally {
      chain.node.thaw();
    }
    await watch.lookAround();
    expect(await statesOf(watch)).toEqual(['ok', 'ok']);
  });

  it('that hear of no block any more are not read once others go on', async () => {
    const { watch, pay } = await opened([other, node]);
    await second.rpc('setnetworkactive', false);
    await pay();
    await chain.mine();
    await watch.turns(2);
    expect([await typesOf(watch), watch.alerts()]).toEqual([[], []]);
    watch.pass(21_000);
    await watch.turns(2);
    expect([await typesOf(watch), watch.alerts()]).toEqual([['payment.seen', 'payment.confirmed'], ['chain_node']]);
    expect((await statesOf(watch))?.toSorted()).toEqual(['ok', 'stale']);
    await second.rpc('setnetworkactive', true);
    await untilSame();
    await watch.turn();
    expect(await statesOf(watch)).toEqual(['ok', 'ok']);
  });

  it('of another network are never read', async () => {
    const watch = watching(database, 'BTC', [nodeAt(chain.node, 'main')]);
    await watch.turns(2);
    expect(watch.alerts()).toEqual(['chain_node']);
    expect(await watch.report()).toMatchObject({ height: null, nodes: [{ state: 'wrong' }] });
  });

  it('are contradicted by a second reading six deep, which is put right loudly', async () => {
    const { watch, pay } = await opened([node, other]);
    const signed = await pay();
    await watch.turn();
    await chain.mine();
    await watch.turns(2);
    expect(await typesOf(watch)).toEqual(['payment.seen', 'payment.confirmed']);
    await database.pool.query('DELETE FROM chain_payments');
    await chain.mine(4);
    await untilSame();
    await watch.turns(2);
    expect(watch.alerts()).toEqual([]);
    await chain.mine(2);
    await untilSame();
    await watch.turns(2);
    expect(watch.alerts()).toEqual(['chain_healed']);
    const told = await watch.told();
    expect(told.map(({ type, txid }) => [type, txid])).toEqual([
      ['payment.seen', signed.txid],
      ['payment.confirmed', signed.txid],
    ]);
  });

  it('that refuse a payment end it after two hours, and never with a double-spend', async () => {
    const { watch } = await opened([node]);
    const deposit = script();
    await watch.give(deposit, 2);
    const parent = chain.payment([{ script: chain.wallet.script, amount: 1_000_000n }]);
    const child = chain.payment([{ script: deposit, amount: 60_000n }], {
      coin: { txid: parent.txid, vout: 0, amount: 1_000_000n },
    });
    await chain.send(parent);
    await chain.send(child);
    await watch.turn();
    await chain.crash();
    await watch.turns(2);
    const pass = async (minutes: number): Promise<void> => {
      for (let past = 0; past < minutes; past += 4) {
        watch.pass(240_000);
        await watch.turn();
      }
    };
    await pass(116);
    expect(await typesOf(watch)).toEqual(['payment.seen']);
    await pass(8);
    expect(await typesOf(watch)).toEqual(['payment.dropped']);
    await chain.send(parent);
    await chain.send(child);
    await watch.turn();
    await chain.mine();
    await watch.turns(2);
    expect(await typesOf(watch)).toEqual(['payment.seen', 'payment.confirmed']);
  });

  it('show dust, which is recorded and told to nobody', async () => {
    const { watch, pay } = await opened([node], { dust: 1_000n });
    await pay(999n);
    await pay(1_000n);
    await watch.turn();
    await chain.mine();
    await watch.turns(2);
    expect(await typesOf(watch)).toEqual(['payment.seen', 'payment.confirmed']);
    const { rows } = await database.pool.query(
      'SELECT amount::text, is_dust, state FROM chain_payments p ORDER BY p.amount',
    );
    expect(rows).toEqual([
      { amount: '999', is_dust: true, state: 'confirmed' },
      { amount: '1000', is_dust: false, state: 'confirmed' },
    ]);
  });

  it('that keep no old blocks apply none, until another has what they lack', async () => {
    const pruned = await startNode('bitcoind', ['-txindex=0', '-prune=1', '-fastprune']);
    const whole = await startNode('bitcoind');
    try {
      const mineTo = (blocks: number) => whole.rpc('generatetoaddress', blocks, chain.wallet.address('bcrt'));
      await mineTo(5);
      await untilSame(whole, pruned);
      const watch = watching(database, 'BTC', [nodeAt(pruned)]);
      await watch.turn();
      for (let nth = 0; nth < 12; nth += 1) await mineTo(100);
      await untilSame(whole, pruned);
      await pruned.rpc('pruneblockchain', 800);
      await watch.turns(2);
      expect(await watch.report()).toMatchObject({
        height: 5,
        held: { reason: expect.stringMatching('it keeps none below') },
        nodes: [{ state: 'pruned', problem: expect.stringMatching('6 is the next') }],
      });
      expect(watch.alerts().toSorted()).toEqual(['chain_held', 'chain_node']);
      const both = watching(database, 'BTC', [nodeAt(pruned), nodeAt(whole)]);
      // As many turns as it takes, and one that looks at the nodes from there.
      while ((await both.report())?.height !== 1_205) await both.turn();
      await both.turn();
      expect(await both.report()).toMatchObject({
        height: 1_205,
        held: null,
        nodes: [{ state: 'ok' }, { state: 'ok' }],
      });
    } finally {
      await pruned.stop();
      await whole.stop();
    }
  }, 180_000);
});
