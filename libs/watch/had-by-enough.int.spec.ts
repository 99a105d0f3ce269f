import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const spoiled = { ...paid, raw: () => 'spoiled' };
const FOUR_MINUTES = 240_000;
const TEN_MINUTES = 600_000;
const HOUR = 3_600_000;

const refuse = (node: MemoryNode): void => {
  const submit: ChainNode['submit'] = async () => ({ isIn: false, reason: 'mandatory-script-verify-flag-failed' });
  Object.assign(node, { submit });
};

/** It takes what is right. */
const take = (node: MemoryNode): void => {
  const submit: ChainNode['submit'] = async (raw) => {
    if (raw !== '00') return { isIn: false, reason: 'mandatory-script-verify-flag-failed' };
    node.pool.set('paid', paid);
    return { isIn: true };
  };
  Object.assign(node, { submit });
};

type Options = { readonly agree?: number; readonly count?: number };

/** The first node is read, and the others refuse what it alone lists. */
const nodesOf = async ({ agree = 2, count = 3 }: Options = {}) => {
  const nodes = Array.from({ length: count }, (_, nth) => memoryNode(`node ${nth}`));
  const [read, ...others] = nodes as [MemoryNode, ...MemoryNode[]];
  for (const node of others) refuse(node);
  const watch = watching(database, 'BTC', nodes, { agree });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  return { watch, read, others };
};

const list = (nodes: readonly MemoryNode[], payment = paid): void => {
  for (const { pool } of nodes) pool.set('paid', payment);
};

/** All have it in a block that was made so much later. */
const mineLater = async (
  watch: Watching,
  read: MemoryNode,
  others: readonly MemoryNode[],
  { payment = paid, after = TEN_MINUTES } = {},
): Promise<void> => {
  read.mine('all', [payment]);
  const last = read.branch.at(-1);
  if (last) read.branch.splice(-1, 1, { ...last, time: last.time + after / 1_000 });
  for (const other of others) {
    other.follow(read);
    other.pool.clear();
  }
  watch.pass(after);
  await watch.turns(2);
};

/** Until it is called, the node does not answer. */
const goAway = (node: MemoryNode): (() => void) => {
  const { tip } = node;
  Object.assign(node, { tip: () => Promise.reject(new NodeUnreachable('it does not answer')) });
  return () => void Object.assign(node, { tip });
};

/** Until it is called, the node has no newer block than one of two days ago. */
const goStale = (node: MemoryNode): (() => void) => {
  const { tip } = node;
  Object.assign(node, { tip: async () => ({ ...(await tip()), time: Math.floor(Date.now() / 1_000) - 172_800 }) });
  return () => void Object.assign(node, { tip });
};

/** Turn by turn, four minutes each. */
const passTurns = async (watch: Watching, count: number): Promise<void> => {
  for (let nth = 0; nth < count; nth += 1) {
    watch.pass(FOUR_MINUTES);
    await watch.turn();
  }
};

/** Of each payment that was told when it was seen, in whole minutes after `from`. */
const seenAfter = async (watch: Watching, from: number): Promise<readonly number[]> =>
  (await watch.told())
    .filter(({ type }) => type === 'payment.seen')
    .map(({ at }) => Math.round((new Date(String(at)).getTime() - from) / 60_000));

const keptBytes = async (): Promise<readonly (string | null)[]> =>
  (await database.pool.query<{ raw: string | null }>('SELECT raw FROM chain_payments')).rows.map(({ raw }) => raw);

describe('what one node alone lists, and the others refuse,', () => {
  it('is not seen before its payer sends it to them, hours later', async () => {
    const { watch, read, others } = await nodesOf();
    const from = Date.now();
    list([read], spoiled);
    await watch.turns(2);
    watch.pass(2.5 * HOUR);
    await watch.turn();
    expect(await watch.told()).toEqual([]);
    list(others);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([150]);
  });

  it.each([2, 3])('of %i nodes is seen in its block, when that was made', async (count) => {
    const { watch, read, others } = await nodesOf({ count });
    const from = Date.now();
    list([read]);
    await watch.turns(2);
    await mineLater(watch, read, others);
    expect(await seenAfter(watch, from)).toEqual([10]);
  });

  it('is seen in its block a few minutes later, when that was made, though another is away by then', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    list([read]);
    await watch.turns(2);
    const back = others.map(goAway);
    await watch.turn();
    for (const comeBack of back) comeBack();
    await mineLater(watch, read, others, { after: FOUR_MINUTES });
    expect(await seenAfter(watch, from)).toEqual([4]);
  });

  it('is told of after a minute, once', async () => {
    const { watch, read } = await nodesOf();
    list([read]);
    await watch.turn();
    expect(watch.alerts()).toEqual([]);
    for (let nth = 0; nth < 3; nth += 1) {
      watch.pass(61_000);
      await watch.turn();
    }
    expect(watch.alarms()).toMatchObject([{ alert: 'chain_payment_alone', node: 'node 0', txid: 'paid' }]);
  });

  it('is seen at once where each is believed alone', async () => {
    const { watch, read } = await nodesOf({ agree: 1 });
    const from = Date.now();
    list([read]);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([0]);
  });

  it('is seen once the others have been away for five minutes, when it came', async () => {
    const { watch, read, others } = await nodesOf();
    for (const node of others) goAway(node);
    const from = Date.now();
    list([read]);
    await watch.turns(2);
    expect(await watch.told()).toEqual([]);
    for (let nth = 0; nth < 6; nth += 1) {
      watch.pass(61_000);
      await watch.turn();
      if (nth < 4) expect(await watch.told()).toEqual([]);
    }
    expect(await seenAfter(watch, from)).toEqual([0]);
  });

  it('however much of it there is keeps nothing else from being seen', async () => {
    const { watch, read, others } = await nodesOf();
    for (const node of others)
      Object.assign(node, {
        submit: async () => {
          await delay(100);
          return { isIn: false, reason: 'bad' };
        },
      });
    for (let nth = 0; nth < 200; nth += 1) read.pool.set(`made up ${nth}`, paymentTo(SCRIPT, `made up ${nth}`));
    await watch.turns(8);
    list([read, ...others]);
    await watch.turns(2);
    expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
  }, 120_000);
});

describe('what as many nodes have as have to agree', () => {
  it.each([2, 3])('is seen at once where another of %i takes it, as it merely was slow to come', async (count) => {
    const { watch, read, others } = await nodesOf({ count });
    const from = Date.now();
    for (const node of others.slice(-1)) take(node);
    list([read]);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([0]);
    expect(watch.alerts()).toEqual([]);
  });

  it.each([
    ['as most give it', 3, 3],
    ['as another one takes it, of those that have it two', 3, 2],
  ])('is kept without the witness that the node that is read has spoiled, %s', async (_, count, having) => {
    const { watch, read, others } = await nodesOf({ count });
    list([read], spoiled);
    list(others.slice(0, having - 1));
    for (const node of others.slice(having - 1)) take(node);
    await watch.turn();
    expect(await keptBytes()).toEqual(['00']);
  });
});

describe('what is paid while another node of two', () => {
  it.each([
    ['is away', goAway],
    ['has fallen behind', goStale],
  ])('%s was seen when it came, once that one takes it', async (_, leave) => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    const back = others.map(leave);
    list([read]);
    await watch.turn();
    await passTurns(watch, 1);
    expect(await watch.told()).toEqual([]);
    for (const comeBack of back) comeBack();
    for (const node of others) take(node);
    watch.pass(30_000);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([0]);
  });

  it('is away was seen when it came, where its block is first', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    const back = others.map(goAway);
    list([read]);
    await watch.turn();
    await passTurns(watch, 1);
    for (const comeBack of back) comeBack();
    read.pool.clear();
    await watch.turn();
    await mineLater(watch, read, others, { after: FOUR_MINUTES });
    expect(await seenAfter(watch, from)).toEqual([0]);
  });

  it.each([
    ['that one refuses it', spoiled],
    ['no bytes of it are given', { ...paid, raw: () => undefined as unknown as string }],
  ])('is away is not seen before its payer sends it, where then %s', async (_, payment) => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    const back = others.map(goAway);
    list([read], payment);
    await watch.turn();
    for (const comeBack of back) comeBack();
    await passTurns(watch, 4);
    list(others);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([16]);
  });

  it('is away, and is shown no more until its payer has sent it, was seen then', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    const back = others.map(goAway);
    list([read]);
    await watch.turn();
    for (const comeBack of back) comeBack();
    const { transactions } = read;
    Object.assign(read, { transactions: async () => [] });
    await passTurns(watch, 2);
    Object.assign(read, { transactions });
    list(others);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([8]);
  });

  it.each(['syncing', 'wrong'])('is %s is seen at once, also by a watcher that has just begun', async (state) => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const from = Date.now();
    // Where it comes from needs no second node.
    Object.assign(read, { provenSendersOf: read.sendersOf });
    for (const node of others) {
      const { tip } = node;
      const back = goAway(node);
      await watch.turn();
      back();
      if (state === 'syncing') Object.assign(node, { tip: async () => ({ ...(await tip()), isSyncing: true }) });
      else Object.assign(node, { check: async () => 'it is of another network' });
    }
    list([read]);
    await watch.turn();
    expect(await seenAfter(watch, from)).toEqual([0]);
  });
});

describe('of many payments', () => {
  const listMany = (nodes: readonly MemoryNode[], count: number): void => {
    for (const { pool } of nodes)
      for (let nth = 0; nth < count; nth += 1) pool.set(`paid ${nth}`, paymentTo(SCRIPT, `paid ${nth}`));
  };

  it('all are seen in one turn where one node of three hangs at what waits, and it is left alone then', async () => {
    const { watch, read, others } = await nodesOf();
    let asked = 0;
    const raw = (): Promise<never> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    Object.assign(others[0] ?? {}, { raw });
    listMany([read, ...others.slice(1)], 20);
    await watch.turn();
    expect((await watch.told()).filter(({ type }) => type === 'payment.seen')).toHaveLength(20);
    await delay(3_500);
    const before = asked;
    list([read, ...others.slice(1)]);
    await watch.turn();
    expect([(await watch.told()).map(({ txid }) => txid), asked - before]).toEqual([['paid'], 0]);
    expect(before).toBeLessThan(5);
  }, 30_000);

  afterEach(() => void jest.restoreAllMocks());

  /** For whoever measures how long something takes. */
  const clock = () => {
    const now = performance.now.bind(performance);
    let ahead = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    return (ms: number): void => {
      ahead += ms;
    };
  };

  it('one at which another node of two hangs comes behind those that came meanwhile, and then ever more seldom', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const wait = clock();
    const asked: string[] = [];
    for (const node of others) {
      const { raw } = node;
      const hanging = (txid: string) => {
        asked.push(txid);
        return txid === 'paid' ? new Promise<undefined>(() => undefined) : raw(txid);
      };
      Object.assign(node, { raw: hanging });
    }
    const passHalfAMinute = async (): Promise<void> => {
      wait(31_000);
      watch.pass(31_000);
      await watch.turns(2);
    };
    list([read, ...others]);
    await watch.turn();
    listMany([read, ...others], 1);
    await watch.turns(2);
    expect(await watch.told()).toEqual([]);
    await passHalfAMinute();
    expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid 0']);
    for (let nth = 0; nth < 20; nth += 1) await passHalfAMinute();
    const times = asked.filter((txid) => txid === 'paid').length;
    expect(times).toBeGreaterThan(2);
    expect(times).toBeLessThan(8);
  }, 60_000);

  it('those that the others refuse are not read again while nobody is asked of them', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    const wait = clock();
    for (const node of others) {
      const rawOf = node.raw;
      const raw: typeof rawOf = async (txid) => {
        await delay(8);
        return rawOf(txid);
      };
      Object.assign(node, { raw });
    }
    let given = 0;
    const { transactions } = read;
    const giving: ChainNode['transactions'] = (txids) => {
      given += txids.length;
      return transactions(txids);
    };
    Object.assign(read, { transactions: giving });
    listMany([read], 200);
    await watch.turns(4);
    wait(6_000);
    await watch.turn();
    const before = given;
    list([read, ...others]);
    await watch.turns(2);
    expect(given - before).toBeLessThan(60);
    expect((await watch.told()).map(({ txid }) => txid)).toEqual(['paid']);
  }, 60_000);

  it('those that the others refuse take half a second of some turns', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    let asked = 0;
    const raw = async (): Promise<undefined> => {
      asked += 1;
      await delay(8);
    };
    for (const node of others) Object.assign(node, { raw });
    listMany([read], 200);
    await watch.turns(3);
    const before = asked;
    await watch.turns(3);
    expect(asked - before).toBeLessThan(150);
  }, 60_000);

  it('one that is refused is sent ever more seldom', async () => {
    const { watch, read, others } = await nodesOf({ count: 2 });
    let sent = 0;
    const submit: ChainNode['submit'] = async () => {
      sent += 1;
      return { isIn: false, reason: 'bad' };
    };
    for (const node of others) Object.assign(node, { submit });
    list([read]);
    for (let nth = 0; nth < 40; nth += 1) {
      await watch.turn();
      watch.pass(15_000);
    }
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThan(8);
  });
});

it('what one node alone lists in the place of a payment is seen in its block, when that was made', async () => {
  const { watch, read, others } = await nodesOf();
  list([read, ...others]);
  await watch.turn();
  await watch.told();
  const raised = { ...paymentTo(SCRIPT, 'raised'), inputs: paid.inputs };
  const from = Date.now();
  read.pool.clear();
  read.pool.set('raised', raised);
  await watch.turns(2);
  await mineLater(watch, read, others, { payment: raised });
  expect(await seenAfter(watch, from)).toEqual([10]);
});
