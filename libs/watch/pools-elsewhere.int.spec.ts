import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const TEN_MINUTES = 600_000;

const refuse = (node: MemoryNode): void => {
  const submit: ChainNode['submit'] = async () => ({ isIn: false, reason: 'min relay fee not met' });
  Object.assign(node, { submit });
};

/** It takes what it is sent, as any node takes what is right and pays enough. */
const take = (node: MemoryNode, payment = paid): void => {
  const submit: ChainNode['submit'] = async () => {
    node.pool.set(payment.txid, payment);
    return { isIn: true };
  };
  Object.assign(node, { submit });
};

type Options = { readonly agree?: number; readonly isFast?: () => Promise<boolean> };

/** Three nodes, of which the first one is read. */
const three = async ({ agree = 2, isFast = async () => false }: Options = {}) => {
  const nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')] as const;
  const [read, b, c] = nodes;
  refuse(read);
  const begin = () => watching(database, 'BTC', nodes, { agree, isFast });
  const watch = begin();
  await watch.give(SCRIPT, 1);
  await watch.turn();
  return { watch, begin, read, b, c };
};

const list = (...nodes: readonly MemoryNode[]): void => {
  for (const { pool } of nodes) pool.set('paid', paid);
};

/** Some quarters of a minute. */
const pass = async (watch: Watching, times: number): Promise<void> => {
  for (let nth = 0; nth < times; nth += 1) {
    watch.pass(15_000);
    await watch.turn();
    await watch.listElsewhere();
  }
};

/** All have it in a block that comes ten minutes later. */
const mineLater = async (watch: Watching, [first, ...others]: readonly MemoryNode[]): Promise<void> => {
  first?.mine('all', [paid]);
  const last = first?.branch.at(-1);
  if (!first || !last) return;
  first.branch.splice(-1, 1, { ...last, time: last.time + TEN_MINUTES / 1_000 });
  for (const other of others) {
    other.follow(first);
    other.pool.clear();
  }
  watch.pass(TEN_MINUTES);
  await watch.turn();
};

const heard = async (watch: Watching) => (await watch.told()).map(({ type, passed }) => passed ?? type);

/** Whether each payment that was told was seen when it came, and not when its block did. */
const seenInTime = async (watch: Watching, from: number): Promise<readonly boolean[]> =>
  (await watch.told())
    .filter(({ type }) => type === 'payment.seen')
    .map(({ at }) => new Date(String(at)).getTime() - from < TEN_MINUTES / 2);

describe('a payment that the node that is read does not list was seen', () => {
  it.each([
    ['when as many others listed it as have to agree', 2, ['b', 'c'], true],
    ['in its block where fewer did', 2, ['b'], false],
    ['when another one listed it, where each is believed alone', 1, ['b'], true],
  ])('%s', async (_, agree, names, isInTime) => {
    const { watch, read, b, c } = await three({ agree });
    const from = Date.now();
    list(...[b, c].filter(({ name }) => names.includes(name)));
    await watch.listElsewhere();
    await mineLater(watch, [read, b, c]);
    expect(await seenInTime(watch, from)).toEqual([isInTime]);
  });

  it('then also by a watcher that was started anew', async () => {
    const { watch, begin, read, b, c } = await three();
    const from = Date.now();
    list(b, c);
    await watch.listElsewhere();
    const later = begin();
    await mineLater(later, [read, b, c]);
    expect(await seenInTime(later, from)).toEqual([true]);
  });

  it('then also where that one lists it, and keeps it back', async () => {
    const { watch, read, b, c } = await three();
    const from = Date.now();
    Object.assign(read, { mempool: async () => ['paid'] });
    list(b, c);
    await watch.turn();
    await watch.listElsewhere();
    await mineLater(watch, [read, b, c]);
    expect(await seenInTime(watch, from)).toEqual([true]);
  });

  it('then also where others that make names up list many before it and after it', async () => {
    const { watch, read, b, c } = await three();
    const from = Date.now();
    const names = (what: string) => Array.from({ length: 2_000 }, (__, nth) => `${what} ${nth}`);
    Object.assign(b, { mempool: async () => [...names('made up'), 'paid', ...names('too')] });
    list(b, c);
    await watch.listElsewhere();
    await mineLater(watch, [read, b, c]);
    expect(await seenInTime(watch, from)).toEqual([true]);
  });
});

it('what one lists and keeps back is taken from another', async () => {
  const { watch, read, b, c } = await three();
  const from = Date.now();
  Object.assign(b, { transactions: async () => [] });
  list(b, c);
  await watch.listElsewhere();
  await mineLater(watch, [read, b, c]);
  expect(await seenInTime(watch, from)).toEqual([true]);
});

describe('a node that is read', () => {
  it('and merely missed what another has is sent it, and a fast deposit passes', async () => {
    const { watch, read, b, c } = await three({ isFast: async () => true });
    take(read);
    list(b, c);
    await watch.listElsewhere();
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.seen', true]);
  });

  it('is sent also what one other has, which passes no guard by that', async () => {
    const { watch, read, b } = await three({ isFast: async () => true });
    take(read);
    list(b);
    Object.assign(b, { doubt: async () => 'it pays too little' });
    await watch.listElsewhere();
    await watch.turn();
    expect(await heard(watch)).toEqual(['payment.seen']);
  });

  it('and does not list for a minute what as many others do is told of once, and left', async () => {
    const { watch, b, c } = await three();
    list(b, c);
    await watch.listElsewhere();
    await pass(watch, 2);
    expect([await heard(watch), watch.alerts()]).toEqual([[], []]);
    await pass(watch, 8);
    expect(await heard(watch)).toEqual(['payment.seen']);
    expect(watch.alarms()).toEqual([
      expect.objectContaining({ alert: 'chain_payment_unlisted', node: 'read', nodes: ['b', 'c'], txid: 'paid' }),
    ]);
  });

  it('is told of, and read on, where each is believed alone', async () => {
    const { watch, b } = await three({ agree: 1 });
    list(b);
    await watch.listElsewhere();
    await pass(watch, 8);
    expect([await heard(watch), watch.alerts()]).toEqual([[], ['chain_payment_unlisted']]);
  });

  it('is read on where one other lists what it does not, and may make up', async () => {
    const { watch, b } = await three();
    list(b);
    await watch.listElsewhere();
    await pass(watch, 8);
    expect([await heard(watch), watch.alerts()]).toEqual([[], []]);
  });

  it('is left once in ten minutes at the most', async () => {
    const { watch, read, b, c } = await three();
    list(b, c);
    await watch.listElsewhere();
    await pass(watch, 6);
    list(read);
    for (const { pool } of [read, c]) pool.set('other', paymentTo(SCRIPT, 'other'));
    await pass(watch, 8);
    expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
    watch.pass(TEN_MINUTES);
    for (const { pool } of [read, c]) pool.set('third', paymentTo(SCRIPT, 'third'));
    await pass(watch, 8);
    expect(new Set((await watch.told()).map(({ txid }) => txid))).toEqual(new Set(['other', 'third']));
  });
});

/** What these are asked for, of all that waits. */
const noteAsked = (...nodes: readonly MemoryNode[]): readonly string[] => {
  const asked: string[] = [];
  for (const node of nodes) {
    const { transactions } = node;
    Object.assign(node, {
      transactions: async (txids: readonly string[]) => {
        asked.push(...txids);
        return transactions(txids);
      },
    });
  }
  return asked;
};

it('what was told is asked for once more, and sent to no node that is read because others list it', async () => {
  const { watch, read, b, c } = await three();
  const submitted: string[] = [];
  list(read, b, c);
  await watch.turn();
  Object.assign(read, {
    submit: async (raw: string) => {
      submitted.push(raw);
      return { isIn: true };
    },
  });
  read.pool.clear();
  Object.assign(read, { mempool: async () => [] });
  const asked = noteAsked(b, c);
  await watch.turn();
  const before = submitted.length;
  await watch.listElsewhere();
  await watch.listElsewhere();
  expect([await heard(watch), asked, submitted.length - before]).toEqual([['payment.seen'], ['paid'], 0]);
});

it('each is asked for once of what others list, however long it waits, and none of what the one that is read does', async () => {
  const { watch, read, b, c } = await three();
  const asked = noteAsked(b, c);
  const strangers = Array.from({ length: 200 }, (_, nth) => paymentTo('51', `stranger ${nth}`));
  for (const { pool } of [b, c]) for (const each of strangers) pool.set(each.txid, each);
  for (const each of strangers.slice(0, 100)) read.pool.set(each.txid, each);
  Object.assign(b, { mempool: async () => ['made up', ...b.pool.keys()] });
  await watch.turn();
  await watch.listElsewhere();
  await pass(watch, 4);
  expect([asked.length, new Set(asked).size, asked.includes('made up')]).toEqual([101, 101, true]);
});

it("a stranger's transaction of which one node tells that it pays us, and not its bytes, has no node left", async () => {
  const stranger = paymentTo('cd'.repeat(20), 'paid');
  const nodes = [memoryNode('read'), memoryNode('b'), memoryNode('c')].map((node) => ({
    ...node,
    provenBy: async () => stranger,
  }));
  const [read, liar, c] = nodes;
  const watch = watching(database, 'ETH', nodes, { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  if (read) refuse(read);
  liar?.pool.set('paid', paid);
  c?.pool.set('paid', stranger);
  await watch.listElsewhere();
  await pass(watch, 6);
  expect([await heard(watch), watch.alerts()]).toEqual([[], ['chain_transaction_contradicted']]);
});
