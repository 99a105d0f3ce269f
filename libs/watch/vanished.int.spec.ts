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
const refused = async (headMaxAgeMs = 86_400_000) => {
  const node = { ...memoryNode('one'), submit: refuses };
  const begin = () => watching(database, 'BTC', [node], { headMaxAgeMs });
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

it.each([
  ['is dropped where it only keeps it, behind a number that its sender left out', false, [SEEN, DROPPED]],
  ['stays where it waits there again', true, [SEEN]],
])('what a node of Ethereum takes when it is sent it again %s', async (_, waits, types) => {
  const node = memoryNode('one');
  const hasWaiting = async (txid: string): Promise<boolean> => node.pool.has(txid) || waits;
  const watch = watching(database, 'ETH', [{ ...node, hasWaiting }]);
  const ours = `0x${'ab'.repeat(20)}`;
  await watch.give(ours, 1);
  await watch.turn();
  node.pool.set('paid', paymentTo(ours, 'paid'));
  await watch.turn();
  node.pool.clear();
  await pass(watch, 132);
  expect(await heard(watch)).toEqual(types);
});

it('what the only node refuses is dropped where no block comes for hours', async () => {
  const { watch } = await refused(30 * 60_000);
  await pass(watch, 160);
  expect(await heard(watch)).toEqual([SEEN, DROPPED]);
});

describe('what has left the node that is read, where', () => {
  const takes: ChainNode['submit'] = async () => ({ isIn: true });
  const loses: ChainNode['submit'] = away;

  /** One payment that left them: what each does as it is sent again. */
  const left = async (submits: readonly ChainNode['submit'][], agree: number, isFast = false) => {
    const nodes = submits.map((submit, nth) => ({ ...memoryNode(`node ${nth}`), submit }));
    const watch = watching(database, 'BTC', nodes, { agree, isFast: async () => isFast });
    await watch.give(SCRIPT, 1);
    await watch.turn();
    for (const { pool } of nodes) pool.set('paid', paymentTo(SCRIPT, 'paid'));
    await pass(watch, 2 * STEP);
    expect((await heard(watch))[0]).toBe(SEEN);
    for (const { pool } of nodes) pool.clear();
    await watch.turn();
    const stop = (nth: number): void => void Object.assign(nodes[nth] ?? {}, { tip: away });
    return { watch, nodes, stop };
  };

  it.each([
    ['another one is away for days', [refuses, takes], 1, [1]],
    ['one of three is away for days, and two have to agree', [refuses, refuses, takes], 2, [2]],
    ['two of three are, and two had to agree', [refuses, takes, takes], 2, [1, 2]],
    ['one of three hangs at it, and two have to agree', [refuses, refuses, loses], 2, []],
    ['one of three says that it has it, and two have to agree', [refuses, refuses, takes], 2, []],
  ] as const)('%s, it is dropped after two hours', async (_, submits, agree, stopped) => {
    const { watch, stop } = await left(submits, agree);
    for (const nth of stopped) stop(nth);
    await pass(watch, 112);
    expect(await heard(watch)).toEqual([]);
    await pass(watch, 16);
    expect(await heard(watch)).toEqual([DROPPED]);
  });

  it.each([
    ['another has it, and one is enough', [refuses, takes], 1],
    ['two of three have it, and two have to agree', [refuses, takes, takes], 2],
    ['as many have it as refuse it', [refuses, refuses, takes, takes], 2],
    ['one refuses it, and two have to agree', [refuses, takes], 2],
  ] as const)('%s, it is kept', async (_, submits, agree) => {
    const { watch } = await left(submits, agree);
    await pass(watch, 240);
    expect(await heard(watch)).toEqual([]);
  });

  it('one answer is lost, the two hours go on', async () => {
    const { watch, nodes } = await left([refuses], 1);
    await pass(watch, 60);
    Object.assign(nodes[0] ?? {}, { submit: loses });
    watch.pass(60_000);
    await watch.turn();
    Object.assign(nodes[0] ?? {}, { submit: refuses });
    await pass(watch, 60);
    expect(await heard(watch)).toEqual([DROPPED]);
  });

  it('no answer comes for longer than a restart takes, they begin anew', async () => {
    const { watch, nodes } = await left([refuses], 1);
    await pass(watch, 60);
    Object.assign(nodes[0] ?? {}, { submit: loses });
    await pass(watch, 2 * STEP);
    Object.assign(nodes[0] ?? {}, { submit: refuses });
    await pass(watch, 116);
    expect(await heard(watch)).toEqual([]);
    await pass(watch, 2 * STEP);
    expect(await heard(watch)).toEqual([DROPPED]);
  });

  it.each([
    [true, []],
    [false, [DROPPED]],
  ])('nobody gave its bytes, others are asked whether it waits there: %s', async (isThere, expected) => {
    const nodes = [memoryNode('read'), memoryNode('b')] as const;
    const watch = watching(database, 'ETH', nodes);
    await watch.give(SCRIPT, 1);
    await watch.turn();
    const { raw: _, ...paid } = paymentTo(SCRIPT, 'paid');
    for (const { pool } of nodes) pool.set('paid', { ...paid, raw: undefined });
    await watch.turn();
    expect(await heard(watch)).toEqual([SEEN]);
    nodes[0].pool.clear();
    Object.assign(nodes[1], { hasWaiting: async () => isThere });
    await pass(watch, 128);
    expect(await heard(watch)).toEqual(expected);
  });

  it('another one is away, a deposit that counts unconfirmed falls back', async () => {
    const { watch, stop } = await left([refuses, takes], 1, true);
    expect(await heard(watch)).toEqual([]);
    stop(1);
    await pass(watch, 3 * STEP);
    expect(await heard(watch)).toEqual(['guards.completed']);
  });
});

it('a node that did not answer is asked for nothing that vanished', async () => {
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

/** One that counts unconfirmed, and left the only node. */
const counting = async (submit: ChainNode['submit']) => {
  const node = { ...memoryNode('one'), submit };
  const watch = watching(database, 'BTC', [node], { isFast: async () => true });
  const passed = async () => (await watch.told()).flatMap((told) => ('passed' in told ? [told.passed] : []));
  await watch.give(SCRIPT, 1);
  await watch.turn();
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await watch.turn();
  expect(await passed()).toEqual([true]);
  node.pool.clear();
  return { node, watch, passed };
};

/** So often it is sent again, each quarter of a minute. */
const submissions = async (watch: Watching, times: number): Promise<void> => {
  for (let nth = 0; nth < times; nth += 1) {
    await watch.turns(2);
    watch.pass(15_000);
  }
};

it.each([
  ['what every node refuses counts unconfirmed no more', refuses, [false]],
  ['what a node takes goes on counting', async () => ({ isIn: true as const }), []],
] as const)('%s', async (_, submit, judged) => {
  const { watch, passed } = await counting(submit);
  await submissions(watch, 5);
  expect(await passed()).toEqual(judged);
  await submissions(watch, 8);
  expect(await passed()).toEqual([]);
});

it('what a node refuses until it has read its mempool again goes on counting', async () => {
  const { node, watch, passed } = await counting(refuses);
  await submissions(watch, 3);
  node.pool.set('paid', paymentTo(SCRIPT, 'paid'));
  await submissions(watch, 1);
  node.pool.clear();
  await submissions(watch, 3);
  expect(await passed()).toEqual([]);
  await submissions(watch, 2);
  expect(await passed()).toEqual([false]);
});
