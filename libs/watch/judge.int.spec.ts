import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { AnswerTooLarge } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const DEEP = [{ from: 0n, need: 3 }];
const SAFE = [{ from: 0n, need: 'safe' as const }];
/** Its block gives way to a longer branch, and it waits again. */
const giveUp = (node: MemoryNode, paid: ReturnType<typeof paymentTo>): void => {
  node.branch.pop();
  node.pool.set(paid.txid, paid);
  node.mine('others');
  node.mine('others');
};

const isFast = async (): Promise<boolean> => true;

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, passed }) => (passed === undefined ? type : [type, passed]));

it.each([
  ['ETH', SAFE],
  ['BTC', DEEP],
] as const)('a payment in %s that is first found in a block passes the guards, once', async (coin, confirmations) => {
  const node = memoryNode('one');
  const watch = watching(database, coin, [node], { isFast, confirmations, fullRbf: 'refuse' });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [{ ...paymentTo(SCRIPT, 'paid'), replaceable: coin === 'BTC' }]);
  await watch.turns(3);
  expect(await heard(watch)).toEqual(['payment.seen', ['guards.completed', true]]);
});

it.each([
  ['that its block confirms', isFast, undefined, ['payment.seen', 'payment.confirmed']],
  ['of a deposit that waits for that anyway', async (): Promise<boolean> => false, DEEP, ['payment.seen']],
] as const)('one %s is not judged', async (_, asked, confirmations, told) => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast: asked, ...(confirmations && { confirmations }) });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(3);
  expect(await heard(watch)).toEqual(told);
});

it('a second payment that waits is judged with the first one that is in a block', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast, confirmations: DEEP });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.mine('all', [paymentTo(SCRIPT, 'first')]);
  await watch.turn();
  node.pool.set('second', { ...paymentTo(SCRIPT, 'second'), replaceable: true });
  await watch.turn();
  expect(await heard(watch)).toEqual([
    ...['payment.seen', ['guards.completed', true]],
    ...['payment.seen', ['guards.completed', false]],
  ]);
});

it('a block counts for the guards once as many nodes have it as have to agree', async () => {
  const [first, second] = [memoryNode('first'), memoryNode('second')];
  const watch = watching(database, 'BTC', [first, second], { isFast, confirmations: DEEP, agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  first.mine('all', [paymentTo(SCRIPT, 'paid')]);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(['payment.seen']);
  second.follow(first);
  await watch.turn();
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});

/** A fast payment that waits at one node, and what the guards say while others do as they do. */
const waitingAt = async (agree: number, others: readonly MemoryNode[]) => {
  const first = memoryNode('first');
  const watch = watching(database, 'BTC', [first, ...others], { isFast, agree });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  first.pool.set('paid', paid);
  return { watch, first, paid };
};

it.each([1, 2])('a conflict that another node knows of lets none pass where %i have to agree', async (agree) => {
  const [second, third] = [memoryNode('second'), memoryNode('third')];
  const { watch, paid } = await waitingAt(agree, [second, third]);
  second.pool.set('paid', paid);
  third.pool.set('rival', { ...paymentTo('6a', 'rival'), inputs: paid.inputs });
  await watch.turn();
  expect((await watch.told()).map(({ type, passed, reason }) => [type, passed, reason])).toEqual([
    ['payment.seen', undefined, undefined],
    ['guards.completed', false, 'another node has a transaction that takes its place'],
  ]);
});

it('what waits is judged once as many nodes have it as have to agree', async () => {
  const second = memoryNode('second');
  const { watch, paid } = await waitingAt(2, [second]);
  await watch.turns(2);
  expect(await heard(watch)).toEqual(['payment.seen']);
  second.pool.set('paid', paid);
  await watch.turn();
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});

/** What keeps a node from being believed; answers with what ends that. */
const unsound: Readonly<Record<string, (node: MemoryNode, watch: Watching) => () => void>> = {
  'whose newest block is old': (_, watch) => {
    watch.pass(86_400_001);
    return () => watch.pass(-86_400_001);
  },
  'that does not give its newest block': (node) => {
    node.mine('all');
    node.lacks.set(1, undefined);
    return () => node.lacks.clear();
  },
  'on a branch that shares no block': (node) => {
    const before = [...node.branch];
    node.follow(memoryNode('other', [{ hash: 'other', parent: '', time: Date.now() / 1_000, transactions: [] }]));
    return () => void node.branch.splice(0, node.branch.length, ...before);
  },
};

it.each(Object.entries(unsound))('what waits at a node %s is judged once that has passed', async (_, begin) => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const end = begin(node, watch);
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turns(6);
  expect(await heard(watch)).toEqual(['payment.seen']);
  end();
  await watch.turns(2);
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});

it('another node that hangs holds no turn up more than once, and lets none pass that it has to have', async () => {
  let [hangs, asked] = [false, 0];
  const raw = async (): Promise<undefined> => {
    if (!hangs) return;
    asked += 1;
    await new Promise(() => undefined);
  };
  const { watch, first } = await waitingAt(2, [{ ...memoryNode('hangs'), raw }]);
  const another = `0014${'cd'.repeat(20)}`;
  await watch.give(another, 2);
  first.pool.set('other', paymentTo(another, 'other'));
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen', 'payment.seen']);
  hangs = true;
  await watch.turn();
  expect([await heard(watch), asked]).toEqual([[], 1]);
});

it('what passed in a block that is given up is judged anew where it waits', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast, confirmations: DEEP });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = { ...paymentTo(SCRIPT, 'paid'), replaceable: true };
  node.mine('all', [paid]);
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen', ['guards.completed', true]]);
  giveUp(node, paid);
  await watch.turns(2);
  expect(await heard(watch)).toEqual([['guards.completed', false]]);
});

/** What passed in a block that is given up, where the mempool cannot be read. */
const unread = async () => {
  const node = memoryNode('one');
  let isLarge = true;
  const mempool = () => (isLarge ? Promise.reject(new AnswerTooLarge('more than 1000 bytes')) : node.mempool());
  const watch = watching(database, 'BTC', [{ ...node, mempool }], { isFast, confirmations: DEEP });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  node.mine('all', [paid]);
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen', ['guards.completed', true]]);
  giveUp(node, paid);
  await watch.turns(2);
  expect(await heard(watch)).toEqual([]);
  const becomesSmall = (): void => {
    isLarge = false;
  };
  return { watch, becomesSmall };
};

it('what waits is judged once a mempool can be read', async () => {
  const { watch, becomesSmall } = await unread();
  becomesSmall();
  await watch.turn();
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});

it('what passed before passes no more where none can be read for a while', async () => {
  const { watch } = await unread();
  watch.pass(5_000);
  await watch.turns(2);
  expect(await heard(watch)).toEqual([['guards.completed', false]]);
});

it('nodes are asked once of a transaction, however many outputs it pays', async () => {
  const [node, second] = [memoryNode('one'), memoryNode('second')];
  const asked: string[] = [];
  const doubt = async ({ txid }: { readonly txid: string }) => void asked.push(txid);
  const watch = watching(database, 'BTC', [{ ...node, doubt }, second], { isFast });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  const outputs = Array.from({ length: 20 }, (_, vout) => ({ vout, script: SCRIPT, amount: 70_000n }));
  node.pool.set('paid', { ...paid, outputs });
  await watch.turns(2);
  expect((await heard(watch)).at(-1)).toEqual(['guards.completed', true]);
  expect(asked).toEqual(['paid']);
});

it('a deposit of which it cannot be told whether it is fast keeps no other waiting, and is told of once', async () => {
  const node = memoryNode('one');
  const another = `0014${'cd'.repeat(20)}`;
  let isDamaged = true;
  const isFast = async (depositId: number): Promise<boolean> => {
    if (depositId === 1 && isDamaged) throw new Error('its history is damaged');
    return true;
  };
  const watch = watching(database, 'BTC', [node], { isFast });
  await watch.give(SCRIPT, 1);
  await watch.give(another, 2);
  await watch.turn();
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  node.pool.set('other', paymentTo(another, 'other'));
  await watch.turns(2);
  const judged = async () => (await watch.told()).flatMap(({ passed, deposit_id }) => (passed ? [deposit_id] : []));
  expect([await judged(), watch.alerts()]).toEqual([[2], ['chain_deposit_unjudged']]);
  isDamaged = false;
  await watch.turn();
  expect(await judged()).toEqual([1]);
});

it('what a node lists, and does not give for a moment, is judged with the next turn', async () => {
  const node = memoryNode('one');
  let isGiven = false;
  // When it is looked at, and again when it is judged.
  const given = [true, false];
  const transactions: typeof node.transactions = async (txids) =>
    (given.shift() ?? isGiven) ? node.transactions(txids) : [];
  const watch = watching(database, 'BTC', [{ ...node, transactions }], { isFast });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turns(3);
  expect(await heard(watch)).toEqual(['payment.seen']);
  isGiven = true;
  await watch.turn();
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});

/** A node that takes its time for each fast payment that it is asked of; each deposit is paid once. */
const slowly = async (deposits: number, ms: number) => {
  const node = memoryNode('one');
  const asked: string[] = [];
  const doubt = async ({ txid }: { readonly txid: string }): Promise<undefined> => {
    asked.push(txid);
    await delay(ms);
    return undefined;
  };
  const watch = watching(database, 'BTC', [{ ...node, doubt }], { isFast });
  await watch.turn();
  for (let id = 1; id <= deposits; id += 1) {
    const script = `0014${`${id}`.padStart(40, '0')}`;
    await watch.give(script, id);
    node.pool.set(`paid ${id}`, paymentTo(script, `paid ${id}`));
  }
  return { watch, asked };
};

it('deposits are judged for three seconds of a turn, and the others with the next ones', async () => {
  const { watch, asked } = await slowly(5, 1_100);
  await watch.turn();
  expect(asked).toHaveLength(3);
  await watch.turn();
  expect(new Set(asked).size).toBe(5);
}, 20_000);

it.each([
  [100, true],
  [101, false],
])('of a deposit with %i transactions that wait the guards say %s', async (count, passes) => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (let nth = 0; nth < count; nth += 1) node.pool.set(`paid ${nth}`, paymentTo(SCRIPT, `paid ${nth}`));
  await watch.turn();
  expect((await heard(watch)).at(-1)).toEqual(['guards.completed', passes]);
});
