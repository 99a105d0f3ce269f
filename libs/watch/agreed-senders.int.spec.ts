import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainTransaction, NodeUnreachable, type Sender } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');

type Says = readonly Sender[] | 'hangs';

/** What it says in its words, and what it proves. */
const saying = (name: string, words: Says, bytes?: readonly Sender[]): MemoryNode => ({
  ...memoryNode(name),
  ...(bytes && { provenSendersOf: async () => bytes }),
  sendersOf: async () => {
    if (words === 'hangs') throw new NodeUnreachable(`${name} does not answer`);
    return words;
  },
});

type Where = 'waits' | 'is mined';

const watched = async (where: Where, nodes: readonly MemoryNode[], agree = 2, payment = paid) => {
  const watch = watching(database, 'BTC', nodes, { agree, confirmations: [{ from: 0n, need: 3 }] });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const [read, ...others] = nodes;
  if (where === 'waits') for (const { pool } of nodes) pool.set('paid', payment);
  else read?.mine('all', [payment]);
  if (read) for (const other of others) other.follow(read);
  const heard = async () =>
    (await watch.told()).map(({ type, funding_addresses, status }) => [
      type,
      ...[funding_addresses ?? [], status ?? []].flat(),
    ]);
  return { watch, heard };
};

const REVIEW = ['kyt.completed', 'review'];
const UNVOUCHED = { alert: 'chain_senders_unvouched', chain: 'BTC', txid: 'paid', nodes: ['one'] };
const seenFrom = (...senders: readonly string[]) => ['payment.seen', ...senders];

describe.each(['waits', 'is mined'] as const)('where a payment comes from that %s', (where) => {
  it('is what two nodes say, and not what the one that is read makes up', async () => {
    const nodes = [saying('liar', ['clean']), saying('b', ['sanctioned']), saying('c', ['sanctioned'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('sanctioned')]);
  });

  it('is what one node proves, whatever others say', async () => {
    const nodes = [saying('liar', ['clean']), saying('b', ['clean, too'], ['sanctioned'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect([await heard(), watch.alerts()]).toEqual([[seenFrom('sanctioned')], []]);
  });

  it('is what two say where the bytes prove a script without an address', async () => {
    const nodes = [saying('a', ['named'], [undefined]), saying('b', ['named'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect([await heard(), watch.alerts()]).toEqual([[seenFrom('named')], []]);
  });

  it('is nobody, and goes to review, where the bytes prove such a script and no two say whose it is', async () => {
    const nodes = [saying('liar', ['clean'], [undefined]), saying('b', [undefined])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom(), REVIEW]);
  });

  it('is what two say where they name all that the bytes prove, and the rest', async () => {
    const nodes = [saying('a', ['named', 'PROVEN'], ['PROVEN', undefined]), saying('b', ['PROVEN', 'named'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect([await heard(), watch.alerts()]).toEqual([[seenFrom('named', 'PROVEN')], []]);
  });

  it('is what the bytes prove, too, and goes to review, where two leave some of that out', async () => {
    const nodes = [saying('liar', ['clean'], ['sanctioned', undefined]), saying('b', ['clean'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('sanctioned', 'clean'), REVIEW]);
    expect(watch.alarms()).toMatchObject([
      { alert: 'chain_senders_differ', chain: 'BTC', txid: 'paid', nodes: ['liar', 'b'] },
    ]);
  });

  it('is all that they say where they differ, and goes to review', async () => {
    const { watch, heard } = await watched(where, [saying('liar', ['clean']), saying('b', ['sanctioned'])]);
    await watch.turns(2);
    expect(await heard()).toEqual([seenFrom('clean', 'sanctioned'), REVIEW]);
    expect(watch.alarms()).toMatchObject([
      { alert: 'chain_senders_differ', chain: 'BTC', txid: 'paid', nodes: ['liar', 'b'] },
    ]);
  });

  it('is the same where one writes it otherwise', async () => {
    const nodes = [saying('a', ['bc1qfirst', 'bc1qsecond']), saying('b', ['BC1QSECOND', 'BC1QFIRST'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('bc1qfirst', 'bc1qsecond')]);
  });

  it('is what a node that is well says as the transaction says it itself, while another is away', async () => {
    const nodes = [memoryNode('a'), memoryNode('b')];
    const itself = { ...paid, senders: ['said by itself'] };
    for (const node of nodes) Object.assign(node, { sendersOf: async ({ senders }: ChainTransaction) => senders });
    const { watch, heard } = await watched(where, nodes, 2, itself);
    Object.assign(nodes[1] ?? {}, { sendersOf: () => Promise.reject(new NodeUnreachable('b does not answer')) });
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('said by itself')]);
  });

  it('waits a minute for a second node that hangs with that, and then goes to review', async () => {
    const { watch, heard } = await watched(where, [saying('one', ['said by one']), saying('b', 'hangs')]);
    await watch.turns(2);
    expect(await heard()).toEqual([]);
    watch.pass(61_000);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('said by one'), REVIEW]);
    expect(watch.alarms()).toMatchObject([UNVOUCHED]);
  });

  it('waits for none where two say the same beside one that hangs', async () => {
    const nodes = [saying('a', 'hangs'), saying('b', ['said by two']), saying('c', ['said by two'])];
    const { watch, heard } = await watched(where, nodes);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('said by two')]);
  });

  it('is asked for nothing more of nodes that have not got it, and goes to review', async () => {
    const { watch, heard } = await watched(where, [saying('one', ['said by one']), saying('b', [undefined])]);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('said by one'), REVIEW]);
    expect(watch.alarms()).toMatchObject([UNVOUCHED]);
  });

  it('is what the node that is read says where one is believed alone', async () => {
    const nodes = [saying('read', ['said by one']), saying('b', ['another'], ['proven']), saying('c', ['another'])];
    const { watch, heard } = await watched(where, nodes, 1);
    await watch.turn();
    expect(await heard()).toEqual([seenFrom('said by one')]);
  });
});

it('what the bytes prove is told, and goes to review, where the one node that is left for long says otherwise', async () => {
  const [liar, away] = [saying('liar', ['clean'], ['sanctioned', undefined]), saying('away', ['sanctioned', 'named'])];
  const watch = watching(database, 'BTC', [liar, away], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  Object.assign(away, { tip: () => Promise.reject(new NodeUnreachable('it does not answer')) });
  for (let nth = 0; nth < 4; nth += 1) {
    watch.pass(120_000);
    await watch.turn();
  }
  liar.pool.set('paid', paid);
  await watch.turn();
  const told = await watch.told();
  expect(told.map(({ type, funding_addresses, status }) => [type, funding_addresses ?? status])).toEqual([
    ['payment.seen', ['sanctioned']],
    REVIEW,
  ]);
  expect(watch.alarms()).toContainEqual(expect.objectContaining({ alert: 'chain_senders_differ', nodes: ['liar'] }));
});

describe('once a block was held a minute for a node that hangs with that', () => {
  const begun = async () => {
    const [one, hanging] = [saying('one', ['said by one']), saying('b', 'hangs')];
    const { watch, heard } = await watched('is mined', [one, hanging]);
    await watch.turns(2);
    watch.pass(61_000);
    await watch.turn();
    const pay = async (...txids: readonly string[]): Promise<void> => {
      one.mine(
        'all',
        txids.map((txid) => paymentTo(SCRIPT, txid)),
      );
      hanging.follow(one);
      await watch.turn();
    };
    const height = async () => (await watch.report())?.height;
    /** From now on it says where payments come from, but not of those. */
    const sayAllBut = (...txids: readonly string[]): void => {
      const sendersOf: MemoryNode['sendersOf'] = async ({ txid }) => {
        if (txids.includes(txid)) throw new NodeUnreachable('it does not answer');
        return ['said by one'];
      };
      Object.assign(hanging, { sendersOf });
    };
    return { watch, heard, hanging, pay, height, sayAllBut };
  };

  it('no later one is, while that node still hangs', async () => {
    const { pay, height } = await begun();
    await pay('second');
    await pay('third');
    expect(await height()).toBe(3);
  });

  it('a later one is, where it said something since', async () => {
    const { hanging, pay, height } = await begun();
    const { sendersOf } = hanging;
    Object.assign(hanging, { sendersOf: async () => ['said by one'] });
    await pay('second');
    Object.assign(hanging, { sendersOf });
    await pay('third');
    expect(await height()).toBe(2);
  });

  it('no later one is, though that node says it of another payment of each', async () => {
    const { watch, pay, height, sayAllBut } = await begun();
    sayAllBut('second', 'third');
    await pay('told', 'second');
    await pay('told, too', 'third');
    expect([await height(), watch.alerts()]).toEqual([3, Array.from({ length: 3 }, () => UNVOUCHED.alert)]);
  });

  it('no later one is after each where it said all, once it was held for that node again', async () => {
    const { watch, pay, height, sayAllBut } = await begun();
    sayAllBut('third', 'fifth');
    await pay('second');
    await pay('third');
    expect(await height()).toBe(2);
    watch.pass(61_000);
    await watch.turns(3);
    expect(await height()).toBe(3);
    await pay('fourth');
    await pay('fifth');
    expect(await height()).toBe(5);
  });
});
