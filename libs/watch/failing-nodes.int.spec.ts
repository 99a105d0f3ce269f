import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { AnswerTooLarge, NodeRefused, NodeUnreachable, NodeUnreadable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

const errors = {
  'does not answer': new NodeUnreachable('it does not answer'),
  refuses: new NodeRefused('trace', -32_000, 'execution timeout'),
  'sends what nobody can read': new NodeUnreadable('it sends what cannot be read'),
};

const followed = async (nodes: readonly [MemoryNode, ...MemoryNode[]], options?: Parameters<typeof watching>[3]) => {
  const watch = watching(database, 'BTC', nodes, options);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const [first, ...others] = nodes;
  const mine = (...transactions: Parameters<MemoryNode['mine']>[1] & object) => {
    first.mine('all', transactions);
    for (const other of others) other.follow(first);
  };
  const told = async () => (await watch.told()).map(({ type }) => type);
  const nodesNow = async () => (await watch.report())?.nodes.map(({ state, problem }) => [state, problem]);
  return { watch, mine, told, nodesNow };
};

/** How often it was asked for a block. */
const counted = (node: MemoryNode) => {
  let asked = 0;
  return {
    asked: () => asked,
    node: {
      ...node,
      block: (hash: string) => {
        asked += 1;
        return node.block(hash);
      },
    },
  };
};

describe('a node that names a next block that nobody has', () => {
  const made = 'f'.repeat(64);

  /** Always one ahead of the truth. */
  const lying = (truth: MemoryNode): MemoryNode => ({
    ...truth,
    tip: async () => ({ ...(await truth.tip()), height: truth.branch.length, hash: made }),
    hashAt: async (height) => (height === truth.branch.length ? made : truth.hashAt(height)),
  });

  it('keeps no payment from anybody while another is well', async () => {
    const well = memoryNode('well');
    await watching(database, 'BTC', [well]).turn();
    const liar = lying(memoryNode('liar'));
    const { watch, told, nodesNow } = await followed([liar, well]);
    well.mine('all', [paymentTo(SCRIPT, 'paid')]);
    await watch.turns(2);
    expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
    expect(await watch.report()).toMatchObject({ height: 1, held: null });
    expect(await nodesNow()).toEqual([
      ['elsewhere', expect.stringContaining(made)],
      ['ok', null],
    ]);
  });
});

describe('a node that tells how it stands, and of a block', () => {
  it.each(Object.entries(errors))('%s, keeps no payment from anybody while another has it', async (_, error) => {
    const [sick, well] = [memoryNode('sick'), memoryNode('well')];
    const { watch, mine, told, nodesNow } = await followed([sick, well]);
    mine(paymentTo(SCRIPT, 'paid'));
    sick.lacks.set(1, error);
    await watch.turns(2);
    expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
    expect(watch.alerts()).toEqual(['chain_node']);
    expect(await nodesNow()).toEqual([
      ['unreachable', expect.stringContaining(error.message)],
      ['ok', null],
    ]);
    expect(await watch.report()).toMatchObject({ height: 1, held: null });
  });

  it('fails, is asked for none of the next ones while another gives them', async () => {
    const { node: sick, asked } = counted(memoryNode('sick'));
    const { watch, mine } = await followed([sick, memoryNode('well')]);
    for (let height = 1; height <= 5; height += 1) {
      mine();
      sick.lacks.set(height, errors['does not answer']);
    }
    await watch.turns(3);
    expect([(await watch.report())?.height, asked()]).toEqual([5, 1]);
  });

  it('fails, is well again once it gives what it is asked, and not before', async () => {
    const [sick, well] = [memoryNode('sick'), memoryNode('well')];
    const { watch, mine, nodesNow } = await followed([sick, well]);
    mine();
    sick.lacks.set(1, errors['does not answer']);
    await watch.turns(2);
    await watch.tryAgain();
    await watch.turn();
    expect(await nodesNow()).toMatchObject([
      ['unreachable', expect.any(String)],
      ['ok', null],
    ]);
    sick.lacks.delete(1);
    await watch.tryAgain();
    await watch.turn();
    expect(await nodesNow()).toEqual([
      ['ok', null],
      ['ok', null],
    ]);
    expect(watch.alerts()).toEqual(['chain_node']);
  });

  it('fails, confirms nothing', async () => {
    const [sick, well] = [memoryNode('sick'), memoryNode('well')];
    const { watch, mine, told } = await followed([sick, well], { agree: 2 });
    mine(paymentTo(SCRIPT, 'paid'));
    sick.lacks.set(1, errors.refuses);
    await watch.turns(3);
    expect(await told()).toEqual(['payment.seen']);
    sick.lacks.delete(1);
    await watch.tryAgain();
    await watch.turn();
    expect(await told()).toEqual(['payment.confirmed']);
  });

  it('fails when it is asked a second time, keeps nothing from going on', async () => {
    const [first, second] = [memoryNode('first'), memoryNode('second')];
    const { watch, mine, nodesNow } = await followed([first, second]);
    for (let height = 1; height <= 8; height += 1) mine();
    second.lacks.set(1, errors.refuses);
    await watch.turns(3);
    expect(watch.alerts()).toEqual(['chain_node']);
    expect(await watch.report()).toMatchObject({ height: 8, audited_height: 3, held: null });
    expect(await nodesNow()).toMatchObject([
      ['ok', null],
      ['unreachable', expect.any(String)],
    ]);
  });
});

describe('a block that no node gives', () => {
  it.each(['refuses', 'sends what nobody can read'] as const)(
    'holds the chain at once where one %s, and the mempool is read all the same',
    async (how) => {
      const node = memoryNode('one');
      const { watch, mine, told } = await followed([node]);
      mine(paymentTo(SCRIPT, 'mined'));
      node.lacks.set(1, errors[how]);
      node.pool.set('waits', paymentTo(SCRIPT, 'waits'));
      await watch.turns(6);
      expect(await told()).toEqual(['payment.seen']);
      expect(await watch.report()).toMatchObject({
        height: 0,
        held: { reason: expect.stringContaining(errors[how].message) },
      });
      expect(watch.alerts().toSorted()).toEqual(['chain_held', 'chain_node']);
      node.lacks.delete(1);
      await watch.turns(2);
      expect(await watch.report()).toMatchObject({ height: 1, held: null, nodes: [{ state: 'ok' }] });
      expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
    },
  );

  it('holds it after half a minute where one does not answer, and is told once', async () => {
    const [one, other] = [memoryNode('one'), memoryNode('other')];
    const { watch, mine } = await followed([one, other]);
    mine();
    one.lacks.set(1, errors['does not answer']);
    other.lacks.set(1, errors.refuses);
    await watch.turns(3);
    expect(await watch.report()).toMatchObject({ held: null });
    watch.pass(31_000);
    await watch.turns(3);
    expect(await watch.report()).toMatchObject({ held: { reason: expect.stringMatching(/one: .*; other: /) } });
    expect(watch.alerts().filter((alert) => alert === 'chain_held')).toHaveLength(1);
    other.lacks.delete(1);
    await watch.turn();
    expect(await watch.report()).toMatchObject({ height: 1, held: null });
  });

  it('is told of once, whichever of them is asked first', async () => {
    const [one, other] = [memoryNode('one'), memoryNode('other')];
    const { watch, mine } = await followed([one, other]);
    mine();
    one.lacks.set(1, errors.refuses);
    other.lacks.set(1, undefined);
    await watch.turns(3);
    expect(watch.alerts().toSorted()).toEqual(['chain_held', 'chain_node']);
  });
});

describe('where the node that is read fails at every turn and the next one is away', () => {
  const fails = () => Promise.reject(errors['sends what nobody can read']);

  it.each([
    ['its mempool', { mempool: fails }],
    ['the bytes of a payment', { raw: fails }],
  ])('as at %s, another that is well is read, and stays so', async (_, how) => {
    const [sick, away, well] = [memoryNode('sick'), memoryNode('away'), memoryNode('well')];
    const tip = () => Promise.reject(errors['does not answer']);
    const watch = watching(database, 'BTC', [{ ...sick, ...how }, { ...away, tip }, well]);
    await watch.give(SCRIPT, 1);
    await watch.turn().catch(() => undefined);
    sick.mine('all', [{ ...paymentTo(SCRIPT, 'mined'), raw: undefined }]);
    well.follow(sick);
    well.pool.set('waits', paymentTo(SCRIPT, 'waits'));
    let failed = 0;
    for (let turns = 0; turns < 6; turns += 1) {
      await watch.turn().catch(() => {
        failed += 1;
      });
      watch.pass(11_000);
    }
    expect((await watch.told()).map(({ type, txid }) => [type, txid])).toEqual([
      ['payment.seen', 'mined'],
      ['payment.confirmed', 'mined'],
      ['payment.seen', 'waits'],
    ]);
    expect(failed).toBeLessThanOrEqual(1);
    expect(await watch.report()).toMatchObject({ height: 1, held: null });
  });
});

describe('a mempool', () => {
  it('that cannot be read has another node read', async () => {
    const sick = { ...memoryNode('sick'), mempool: () => Promise.reject(errors['sends what nobody can read']) };
    const well = memoryNode('well');
    const watch = watching(database, 'BTC', [sick, well]);
    await watch.give(SCRIPT, 1);
    well.pool.set('waits', paymentTo(SCRIPT, 'waits'));
    await expect(watch.turn()).rejects.toThrow('cannot be read');
    await watch.turn();
    expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen']);
  });

  it('that no node gives holds the chain once that lasts, whatever blocks come, and is told once', async () => {
    const sick = { ...memoryNode('sick'), mempool: () => Promise.reject(new NodeUnreachable('sick does not answer')) };
    const worse = { ...sick, name: 'worse', mempool: () => Promise.reject(new NodeRefused('mempool', 0, 'no answer')) };
    const watch = watching(database, 'BTC', [sick, worse]);
    await watch.give(SCRIPT, 1);
    for (let turns = 0; turns < 6; turns += 1) {
      await expect(watch.turn()).rejects.toThrow(/no(t)? answer/);
      watch.pass(11_000);
      sick.mine('all', turns === 0 ? [paymentTo(SCRIPT, 'mined')] : []);
    }
    expect(await watch.report()).toMatchObject({ height: 5, held: { reason: 'mempool: no answer (0)' } });
    expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen', 'payment.confirmed']);
    expect(watch.alerts()).toEqual(['chain_held']);
  });

  const large = (name: string) => ({
    ...memoryNode(name),
    mempool: () => Promise.reject(new AnswerTooLarge(`${name} sends more than 1000 bytes`)),
  });

  it('of more than can be read is passed: blocks are applied, nothing is held, and that is told once', async () => {
    const node = large('one');
    const { watch, mine, told } = await followed([node]);
    for (let turns = 0; turns < 4; turns += 1) {
      mine(...(turns === 1 ? [paymentTo(SCRIPT, 'mined')] : []));
      await watch.turn();
      watch.pass(11_000);
    }
    expect(await told()).toEqual(['payment.seen', 'payment.confirmed']);
    expect(await watch.report()).toMatchObject({ height: 4, held: null });
    expect(watch.alerts()).toEqual(['chain_mempool_passed']);
  });

  it("of more than can be read has another node's read", async () => {
    const well = memoryNode('well');
    const { watch, told } = await followed([large('one'), well]);
    well.pool.set('waits', paymentTo(SCRIPT, 'waits'));
    await watch.turns(2);
    expect(await told()).toEqual(['payment.seen']);
  });

  it.each([
    ['of more than can be read', () => new AnswerTooLarge('one sends more than 1000 bytes')],
    ['that is not given', () => errors.refuses],
  ])('%s has no node read that is on a branch of its own', async (_, error) => {
    const [one, astray] = [memoryNode('one'), memoryNode('astray')];
    const { watch, mine, told } = await followed([one, astray]);
    mine();
    await watch.turn();
    astray.branch.pop();
    astray.mine('astray');
    astray.pool.set('ghost', paymentTo(SCRIPT, 'ghost'));
    Object.assign(one, { mempool: () => Promise.reject(error()) });
    for (let turns = 0; turns < 12; turns += 1) {
      await watch.turn().catch(() => undefined);
      watch.pass(500);
    }
    expect(await told()).toEqual([]);
  });

  it('with a transaction that cannot be read has all the others told, and of that one an operator, once', async () => {
    const node = memoryNode('one');
    const { watch, told } = await followed([node]);
    const odd = { ...paymentTo(SCRIPT, 'odd'), outputs: [], replaceable: true, unreadable: 'the bytes end at 7' };
    node.pool.set('odd', odd);
    node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
    await watch.turns(3);
    expect(await told()).toEqual(['payment.seen']);
    expect(watch.alerts()).toEqual(['chain_transaction_unreadable']);
  });
});
