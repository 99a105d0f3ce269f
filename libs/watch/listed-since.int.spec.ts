import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, type ChainTransaction, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const [OURS, CROWDS] = ['ab', 'cd'].map((byte) => `0014${byte.repeat(20)}`) as [string, string];
const paid = paymentTo(OURS, 'paid');
const MINUTE = 60_000;

/** What it is asked of one payment takes so long, and it refuses what it is sent. */
const slowAndDear = (node: MemoryNode, ms: number): MemoryNode => {
  const { raw } = node;
  const submit: ChainNode['submit'] = async () => {
    await delay(ms);
    return { isIn: false, reason: 'min relay fee not met' };
  };
  const slowly: ChainNode['raw'] = async (txid) => {
    await delay(ms);
    return raw(txid);
  };
  return Object.assign(node, { raw: slowly, submit });
};

const list = (nodes: readonly MemoryNode[], ...payments: readonly ChainTransaction[]): void => {
  for (const { pool } of nodes) for (const each of payments) pool.set(each.txid, each);
};

const crowd = (count: number, script = CROWDS): readonly ChainTransaction[] =>
  Array.from({ length: count }, (_, nth) => ({ ...paymentTo(script, `cheap ${nth}`), raw: () => `aa${nth}` }));

type Options = { readonly agree?: number; readonly ms?: number };

/** The first one is read; the second, and whoever else is here, has to agree. `from`: when what comes then has come. */
const nodesOf = async ({ agree = 2, ms = 100 }: Options = {}, ...more: readonly MemoryNode[]) => {
  const [read, far] = [memoryNode('read'), slowAndDear(memoryNode('far'), ms)];
  const watch = watching(database, 'BTC', [read, ...more, far], { agree });
  await watch.give(OURS, 1);
  await watch.give(CROWDS, 2);
  await watch.turn();
  return { watch, read, far, from: Date.now() };
};

/** When our payment was seen, in whole minutes after that; nothing where it was not told. */
const seenAfter = async (watch: Watching, from: number): Promise<readonly number[]> =>
  (await watch.told())
    .filter(({ txid, type }) => txid === 'paid' && type === 'payment.seen')
    .map(({ at }) => Math.round((new Date(String(at)).getTime() - from) / MINUTE));

/** Minute by minute until it is told: how many they were, and when it was seen. */
const untilSeen = async (watch: Watching, from: number, most = 20) => {
  for (let turns = 0; turns < most; turns += 1) {
    const seen = await seenAfter(watch, from);
    if (seen.length > 0) return { turns, seen };
    watch.pass(MINUTE);
    await watch.turn();
  }
  return { turns: most, seen: [] };
};

/** In a block ten minutes after it came. */
const mineLater = async (watch: Watching, read: MemoryNode, far: MemoryNode): Promise<void> => {
  read.mine('all', [paid]);
  const last = read.branch.at(-1);
  if (last) read.branch.splice(-1, 1, { ...last, time: last.time + 600 });
  far.follow(read);
  far.pool.delete('paid');
  watch.pass(10 * MINUTE);
  await watch.turn();
};

describe('what waits behind a crowd, and as many nodes list as have to agree,', () => {
  it.each([
    ['', paid],
    [', though it leans on what waits', { ...paid, inputs: ['parent:0'] }],
  ])(
    'is told with the first turn where one alone lists the crowd%s',
    async (_, payment) => {
      const { watch, read, far, from } = await nodesOf();
      list([read], ...crowd(120));
      list([read, far], paymentTo('0014', 'parent'), payment);
      await watch.turn();
      expect(await seenAfter(watch, from)).toEqual([0]);
    },
    30_000,
  );

  it('was seen when they listed it, where they list the crowd too and it is told minutes later', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(60), paid);
    await watch.turn();
    const { turns, seen } = await untilSeen(watch, from);
    expect([turns > 1, seen]).toEqual([true, [0]]);
  }, 60_000);

  it('was seen then also where its block comes before anybody is asked about it', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(60), paid);
    await watch.turn();
    await mineLater(watch, read, far);
    expect(await seenAfter(watch, from)).toEqual([0]);
  }, 30_000);

  it('is seen with its block by a watcher that was started anew: what only was listed is kept in mind alone', async () => {
    const { watch, read, far, from } = await nodesOf();
    const [some, more] = [crowd(60).slice(0, 20), crowd(60).slice(20)];
    list([read, far], ...some, paid, ...more);
    await watch.turn();
    expect(await watch.told()).not.toContainEqual(expect.objectContaining({ txid: 'paid' }));
    const later = watching(database, 'BTC', [read, far], { agree: 2 });
    await mineLater(later, read, far);
    expect(await seenAfter(later, from)).toEqual([10]);
  }, 30_000);

  it('and also where the block is applied only after the node that is read has put it out of its mempool', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(60), paid);
    await watch.turn();
    read.pool.delete('paid');
    await watch.turn();
    await mineLater(watch, read, far);
    expect(await seenAfter(watch, from)).toEqual([0]);
  }, 30_000);
});

it('What one node gave while the other was away came then, though the other listed it only when it was back', async () => {
  const { watch, read, far, from } = await nodesOf();
  const { mempool, submit, raw } = far;
  const away = async (): Promise<never> => {
    throw new NodeUnreachable('it is started again');
  };
  Object.assign(far, { mempool: away, submit: away, raw: away });
  list([read], ...crowd(40), paid);
  await watch.turn();
  watch.pass(2 * MINUTE);
  Object.assign(far, { mempool, submit, raw });
  list([far], ...crowd(40), paid);
  const { seen } = await untilSeen(watch, from);
  expect(seen).toEqual([0]);
}, 60_000);

describe('what waits behind a crowd was seen no earlier than as many nodes list it as have to agree:', () => {
  it('where another gets it minutes later, then', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(60));
    list([read], paid);
    await watch.turn();
    watch.pass(2 * MINUTE);
    list([far], paid);
    await delay(1_100);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([2]);
  }, 60_000);

  it('where the other had something else in its place meanwhile, since it has it again', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(90), paid);
    await watch.turn();
    far.pool.delete('paid');
    await watch.turn();
    watch.pass(2 * MINUTE);
    list([far], paid);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([2]);
  }, 60_000);

  it('where all had something else in its place meanwhile, though no block came', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(90), paid);
    await watch.turn();
    for (const { pool } of [read, far]) pool.delete('paid');
    await watch.turn();
    watch.pass(2 * MINUTE);
    list([read, far], paid);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([2]);
  }, 60_000);

  it('where nobody was to be asked for a while, since it has it again', async () => {
    const { watch, read, far, from } = await nodesOf();
    const { transactions } = read;
    const ungiven = Object.assign(read, {
      transactions: async (txids: readonly string[]) => transactions(txids.filter((txid) => txid !== 'paid')),
    });
    const made = crowd(60);
    list([read, far], ...made, paid);
    await watch.turn();
    for (const { txid } of made) for (const { pool } of [read, far]) pool.delete(txid);
    for (let nth = 0; nth < 4; nth += 1) {
      // By then no turn takes long any more.
      if (nth === 2) far.pool.delete('paid');
      await delay(1_100);
      await watch.turn();
    }
    watch.pass(2 * MINUTE);
    list([far], paid);
    Object.assign(ungiven, { transactions });
    await delay(1_100);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([2]);
  }, 60_000);

  it('where one alone lists it until its block comes, with that', async () => {
    const { watch, read, far, from } = await nodesOf();
    list([read, far], ...crowd(60));
    list([read], paid);
    await watch.turn();
    await mineLater(watch, read, far);
    expect(await seenAfter(watch, from)).toEqual([10]);
  }, 30_000);

  it('where three have to agree and two list it, not yet', async () => {
    const third = memoryNode('third');
    const { watch, read, far, from } = await nodesOf({ agree: 3 }, third);
    list([read, far, third], ...crowd(60));
    list([read, third], paid);
    await watch.turn();
    third.follow(read);
    third.pool.clear();
    await mineLater(watch, read, far);
    expect(await seenAfter(watch, from)).toEqual([10]);
  }, 30_000);
});

it('what takes long is looked at first once, however many list it: then what one alone lists has its turn', async () => {
  const slow = { ...paymentTo(OURS, 'slow'), senders: [] };
  const { watch, read, far, from } = await nodesOf({ ms: 0 });
  for (const node of [read, far])
    Object.assign(node, {
      sendersOf: async ({ txid }: ChainTransaction) => {
        if (txid !== 'slow') return [];
        await delay(3_200);
        throw new NodeUnreachable('it does not answer');
      },
    });
  list([read, far], ...crowd(30).map((each) => ({ ...each, outputs: [] })), paid, slow);
  Object.assign(far, { mempool: async () => [...far.pool.keys()].filter((txid) => txid === 'slow') });
  await watch.turns(2);
  expect(await seenAfter(watch, from)).toEqual([0]);
}, 60_000);

it('another node that hangs as it is asked what waits holds no turn, and keeps nothing from being told', async () => {
  const hanging = Object.assign(memoryNode('hanging'), { mempool: () => new Promise<never>(() => undefined) });
  const { watch, read, far, from } = await nodesOf({}, hanging);
  const lasting: number[] = [];
  list([read], ...crowd(120));
  list([read, far], paid);
  for (let nth = 0; nth < 3; nth += 1) {
    const at = performance.now();
    await watch.turn();
    lasting.push(performance.now() - at);
  }
  expect(await seenAfter(watch, from)).toEqual([0]);
  expect(lasting.map((ms) => ms < 5_500)).toEqual([true, true, true]);
}, 60_000);

describe('what waits behind a crowd at both nodes was seen when they listed it', () => {
  const behindACrowd = async (count: number) => {
    const nodes = await nodesOf();
    list([nodes.read, nodes.far], ...crowd(count), paid);
    await nodes.watch.turn();
    return nodes;
  };

  it('also where its block is at the other one before it is at the one that is read', async () => {
    const { watch, read, far, from } = await behindACrowd(120);
    watch.pass(10 * MINUTE);
    await delay(1_100);
    far.mine('all', [paid]);
    const last = far.branch.at(-1);
    if (last) far.branch.splice(-1, 1, { ...last, time: last.time + 600 });
    await watch.turn();
    read.follow(far);
    read.pool.delete('paid');
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([0]);
  }, 60_000);

  const lookFails = (node: MemoryNode) =>
    Object.assign(node, {
      tip: async () => {
        throw new NodeUnreachable('timeout');
      },
    });

  it('also where the other one does not answer one look meanwhile', async () => {
    const { watch, far, from } = await behindACrowd(120);
    const { tip } = far;
    watch.pass(3 * MINUTE);
    lookFails(far);
    await watch.turn();
    Object.assign(far, { tip });
    watch.pass(3 * MINUTE);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([0]);
  }, 60_000);

  it('also where the one that is read tells its mempool no more for one turn, and the other is read meanwhile', async () => {
    const { watch, read, from } = await behindACrowd(120);
    const { mempool } = read;
    watch.pass(3 * MINUTE);
    Object.assign(read, {
      mempool: async () => {
        throw new NodeUnreachable('work queue depth exceeded');
      },
    });
    await watch.turn().catch(() => undefined);
    Object.assign(read, { mempool });
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([0]);
  }, 60_000);
});

it('a node that took long to tell its list, of a crowd that is over, is asked for it with the next one', async () => {
  const { watch, read, far } = await nodesOf();
  const { mempool } = far;
  const lists = { asked: 0, takeMs: 1_500 };
  Object.assign(far, {
    mempool: async () => {
      lists.asked += 1;
      await delay(lists.takeMs);
      return mempool();
    },
  });
  const first = crowd(30).map((each) => ({ ...each, outputs: [] }));
  list([read, far], ...first);
  await watch.turn();
  lists.takeMs = 0;
  for (const { txid } of first) for (const { pool } of [read, far]) pool.delete(txid);
  await delay(8_000);
  watch.pass(MINUTE);
  await watch.turn();
  list([read, far], ...crowd(600));
  await watch.turn();
  await delay(1_100);
  const from = Date.now() + MINUTE;
  const before = lists.asked;
  list([read, far], paid);
  await watch.turn();
  await delay(1_100);
  await watch.turn();
  expect(lists.asked).toBeGreaterThan(before);
  await mineLater(watch, read, far);
  expect(await seenAfter(watch, from)).toEqual([0]);
}, 120_000);

describe('where one node is believed alone, what waits behind a crowd was seen when that listed it', () => {
  const behindACrowd = async () => {
    const read = memoryNode('read');
    const { transactions } = read;
    const slowly: ChainNode['transactions'] = async (txids) => {
      await delay(1_100);
      return transactions(txids);
    };
    Object.assign(read, { transactions: slowly });
    const watch = watching(database, 'BTC', [read], { agree: 1 });
    await watch.give(OURS, 1);
    await watch.turn();
    const from = Date.now();
    list([read], ...crowd(100), paid);
    await watch.turn();
    expect(await watch.told()).not.toContainEqual(expect.objectContaining({ txid: 'paid' }));
    return { watch, read, from };
  };

  it('where it is told minutes later', async () => {
    const { watch, from } = await behindACrowd();
    watch.pass(5 * MINUTE);
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([0]);
  }, 60_000);

  it('where its block comes before that', async () => {
    const { watch, read, from } = await behindACrowd();
    await mineLater(watch, read, memoryNode('nobody'));
    expect(await seenAfter(watch, from)).toEqual([0]);
  }, 60_000);

  it('or listed it again, where it had something else in its place meanwhile', async () => {
    const { watch, read, from } = await behindACrowd();
    list([read], ...crowd(300));
    read.pool.delete('paid');
    await watch.turn();
    watch.pass(2 * MINUTE);
    list([read], paid);
    await watch.turn();
    const { seen } = await untilSeen(watch, from);
    expect(seen).toEqual([2]);
  }, 60_000);
});

describe('others are asked what they list', () => {
  const listingsBy = (node: MemoryNode) => {
    const [{ mempool }, asked] = [node, { times: 0 }];
    const counting: ChainNode['mempool'] = () => {
      asked.times += 1;
      return mempool();
    };
    Object.assign(node, { mempool: counting });
    return asked;
  };

  it.each([
    ['never, where each is believed alone', 1, 60, false],
    ['not for the few that come as ever', 2, 5, false],
    ['where many come', 2, 60, true],
  ])('%s', async (_, agree, count, isAsked) => {
    const { watch, read, far } = await nodesOf({ agree, ms: 0 });
    const asked = listingsBy(far);
    list([read, far], ...crowd(count), paid);
    await watch.turns(2);
    expect(asked.times > 0).toBe(isAsked);
  });
});
