import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { AnswerTooLarge } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const DEEP = [{ from: 0n, need: 3 }];
const SAFE = [{ from: 0n, need: 'safe' as const }];
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

it('what passed in a block that is given up is judged anew where it waits', async () => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [node], { isFast, confirmations: DEEP });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = { ...paymentTo(SCRIPT, 'paid'), replaceable: true };
  node.mine('all', [paid]);
  await watch.turn();
  expect(await heard(watch)).toEqual(['payment.seen', ['guards.completed', true]]);
  node.branch.pop();
  node.pool.set('paid', paid);
  node.mine('others');
  node.mine('others');
  await watch.turns(2);
  expect(await heard(watch)).toEqual([['guards.completed', false]]);
});

it('what waits is judged once a mempool can be read', async () => {
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
  node.branch.pop();
  node.pool.set('paid', paid);
  node.mine('others');
  node.mine('others');
  await watch.turns(2);
  expect(await heard(watch)).toEqual([]);
  isLarge = false;
  await watch.turn();
  expect(await heard(watch)).toEqual([['guards.completed', true]]);
});
