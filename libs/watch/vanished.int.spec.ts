import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

const away = () => Promise.reject(new NodeUnreachable('it does not answer'));
const never = (): Promise<never> => new Promise(() => undefined);

/** What each node does of a submission; payments that have left the mempool of the first, which refuses them all. */
const vanished = async (payments: number, submit: ChainNode['submit'], ...others: readonly ChainNode[]) => {
  const node = memoryNode('one');
  const watch = watching(database, 'BTC', [{ ...node, submit }, ...others]);
  await watch.give(SCRIPT, 1);
  await watch.turn();
  for (let nth = 1; nth <= payments; nth += 1) node.pool.set(`paid-${nth}`, paymentTo(SCRIPT, `paid-${nth}`));
  await watch.turn();
  await watch.told();
  node.pool.clear();
  return watch;
};

const counted = (submit: ChainNode['submit']) => {
  const counts = { asked: 0 };
  const counting: ChainNode['submit'] = (raw) => {
    counts.asked += 1;
    return submit(raw);
  };
  return { counts, submit: counting };
};

const refuses: ChainNode['submit'] = async () => ({ isIn: false, reason: 'min relay fee not met' });

const STEP = 4;

/** Some minutes at a time; a watcher looks around more often. */
const pass = async (watch: Watching, minutes: number): Promise<void> => {
  for (let past = 0; past < minutes; past += STEP) {
    watch.pass(STEP * 60_000);
    await watch.turn();
  }
};

/** One that the only node refuses, of which nothing is told yet since it left. */
const refused = async () => {
  const node = { ...memoryNode('one'), submit: refuses };
  const begin = () => watching(database, 'BTC', [node]);
  const watch = begin();
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const paid = paymentTo(SCRIPT, 'paid');
  node.pool.set('paid', paid);
  await watch.turn();
  node.pool.clear();
  await watch.turn();
  return { node, paid, watch, restart: begin };
};

const SEEN = 'payment.seen';
const DROPPED = 'payment.dropped';

const heard = async (watch: Watching) => (await watch.told()).map(({ type }) => type);

describe('what is refused once, and again two hours later, is not dropped where meanwhile', () => {
  const expectAnew = async (watch: Watching): Promise<void> => {
    await pass(watch, 120);
    expect(await heard(watch)).toEqual([SEEN]);
    await pass(watch, STEP);
    expect(await heard(watch)).toEqual([DROPPED]);
  };

  it('the node was away', async () => {
    const { node, watch } = await refused();
    const { tip } = node;
    Object.assign(node, { tip: away });
    await pass(watch, 132);
    Object.assign(node, { tip });
    await expectAnew(watch);
  });

  it('nobody watched', async () => {
    const { restart } = await refused();
    const later = restart();
    later.pass(130 * 60_000);
    await expectAnew(later);
  });
});

it('what is refused is dropped where another watches after a moment', async () => {
  const { watch, restart } = await refused();
  await pass(watch, 64);
  const later = restart();
  later.pass(64 * 60_000);
  await pass(later, 60);
  expect(await heard(later)).toEqual([SEEN, DROPPED]);
});

it('a node that did not answer is asked for nothing that vanished, and refuses nothing', async () => {
  const [one, hung] = [counted(refuses), counted(never)];
  const watch = await vanished(3, one.submit, { ...memoryNode('hung'), tip: away, submit: hung.submit });
  await watch.turn();
  watch.pass(15_000);
  await watch.turn();
  watch.pass(7_200_000);
  await watch.turn();
  expect([one.counts.asked, hung.counts.asked]).toEqual([9, 0]);
  expect(await watch.told()).toEqual([]);
});

it('one that hangs at a submission holds a turn up once, however much vanished', async () => {
  const [one, hung] = [counted(refuses), counted(never)];
  const watch = await vanished(3, one.submit, { ...memoryNode('hung'), submit: hung.submit });
  await watch.turn();
  expect(hung.counts.asked).toBe(1);
});

it('what vanished is submitted for a while, and the rest with the next turn', async () => {
  const slow = counted(async (raw) => {
    await delay(1_600);
    return refuses(raw);
  });
  const watch = await vanished(4, slow.submit);
  await watch.turn();
  expect(slow.counts.asked).toBe(2);
  await watch.turn();
  expect(slow.counts.asked).toBe(4);
}, 60_000);

it('nothing is submitted by whoever stops', async () => {
  const stopping = new AbortController();
  const one = counted((raw) => {
    stopping.abort();
    return refuses(raw);
  });
  const watch = await vanished(4, one.submit);
  await watch.turn(stopping.signal);
  expect(one.counts.asked).toBe(1);
});

it.each(['waits', 'is in a block'])(
  'what takes the place of one that was dropped is told, once it %s',
  async (where) => {
    const { node, paid, watch } = await refused();
    await pass(watch, 120);
    expect(await heard(watch)).toEqual([SEEN, DROPPED]);
    const rival = { ...paymentTo('6a', 'rival'), inputs: paid.inputs };
    if (where === 'waits') node.pool.set('rival', rival);
    else node.mine('all', [rival]);
    await watch.turns(2);
    const told = await watch.told();
    expect(told).toMatchObject([{ type: 'payment.double_spent', txid: 'paid', replaced_by: 'rival' }]);
  },
);

it.each([
  ['what every node refuses counts unconfirmed no more', refuses, [false]],
  ['what a node takes goes on counting', async () => ({ isIn: true as const }), []],
] as const)('%s', async (_, submit, judged) => {
  const node = { ...memoryNode('one'), submit };
  const watch = watching(database, 'BTC', [node], { isFast: async () => true });
  const passed = async () => (await watch.told()).flatMap((told) => ('passed' in told ? [told.passed] : []));
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turn();
  expect(await passed()).toEqual([true]);
  node.pool.clear();
  await watch.turns(2);
  watch.pass(15_000);
  await watch.turns(2);
  expect(await passed()).toEqual(judged);
});
