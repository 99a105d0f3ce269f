import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainNode, NodeRefused } from '#chains';
import type { Ticker } from '#money';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0x${'ab'.repeat(20)}`;
const payment = paymentTo(SCRIPT, 'paid');
const HOUR = 3_600;
const LATE = 11 * HOUR;

/** Whether its block came that long ago, or was seen in this moment. */
const seenAgo = async (watch: Watching): Promise<readonly number[]> =>
  (await watch.told()).flatMap((told) =>
    told.type === 'payment.seen' ? [Math.round((Date.now() - Date.parse(String(told.at))) / 60_000) * 60] : [],
  );

type Says = number | 'has not got it' | 'hangs' | 'names it alone';

const never = (): Promise<never> => new Promise(() => undefined);

/** What a node says of a block that all know by its hash: made that long ago, or nothing. */
const say = (node: MemoryNode, height: number, says: Says): void => {
  const [block] = node.branch.slice(height);
  if (!block) return;
  if (says === 'hangs') Object.assign(node, { timeAt: never });
  else if (says === 'has not got it') node.branch.splice(height);
  else if (says === 'names it alone')
    Object.assign(node, {
      timeAt: () => Promise.reject(new NodeRefused('getblockheader', -32_601, 'Method not found')),
    });
  else node.branch.splice(height, 1, { ...block, time: Math.floor(Date.now() / 1_000) - says });
};

type Case = {
  readonly coin?: Ticker;
  readonly agree?: number;
  /** Of what made the block before. */
  readonly parent?: number;
  /** The first is read. */
  readonly says: readonly Says[];
};

const setUp = async ({ coin = 'ETH', agree = 2, parent = 12 * HOUR, says }: Case) => {
  const nodes = says.map((_, nth) => memoryNode(`node ${nth}`)) as [MemoryNode, ...MemoryNode[]];
  const [read, ...others] = nodes;
  const watch = watching(database, coin, nodes, { agree, confirmations: [{ from: 0n, need: 30 }] });
  await watch.give(SCRIPT, 1);
  const mine = (...transactions: readonly (typeof payment)[]): number => {
    read.mine('all', transactions);
    for (const node of others) node.follow(read);
    return read.branch.length - 1;
  };
  const sayAll = (height: number): void => {
    for (const [nth, node] of nodes.entries()) say(node, height, says[nth] ?? 'hangs');
  };
  await watch.turn();
  const before = mine();
  for (const node of nodes) say(node, before, parent);
  await watch.turns(2);
  return { watch, nodes, mine, sayAll };
};

/** A payment that a block shows first, which is applied as soon as the node that is read has it. */
const applied = async (options: Case): Promise<readonly number[]> => {
  const { watch, mine, sayAll } = await setUp(options);
  sayAll(mine(payment));
  await watch.turns(2);
  return seenAgo(watch);
};

describe('a payment that a block shows first was seen', () => {
  it.each<[string, Case]>([
    ['when as many say as have to agree', { says: [LATE, HOUR, HOUR] }],
    ['when as many say of DASH', { coin: 'DASH', says: [LATE, HOUR, HOUR] }],
    ['when as many say of MARS', { coin: 'MARS', says: [LATE, HOUR, HOUR] }],
    ['when others say, where one of them puts it later', { says: [HOUR, 0, HOUR] }],
    ['when enough say, while another hangs', { says: [HOUR, 'hangs', HOUR] }],
    ['when the later one says, of two that both have to', { says: [LATE, HOUR] }],
    ['when enough say, of which one tells no header by its height', { says: [LATE, 'names it alone', HOUR] }],
    ['no earlier than the block before, where the others hang', { says: [LATE, 'hangs', 'hangs'], parent: HOUR }],
    ['when the node that is read says, where the others hang', { says: [HOUR, 'hangs', 'hangs'] }],
  ])('%s', async (_, options) => {
    expect(await applied(options)).toEqual([HOUR]);
  });

  it('in this moment, where the others have not got that block yet', async () => {
    expect(await applied({ says: [LATE, 'has not got it', 'hangs'] })).toEqual([0]);
  });
});

it.each<[string, Case]>([
  ['one node is enough', { agree: 1, says: [LATE, HOUR, HOUR] }],
  ['bytes prove the block', { coin: 'BTC', says: [LATE, HOUR, HOUR] }],
])('where %s it was seen when the node that is read says', async (_, options) => {
  expect(await applied(options)).toEqual([LATE]);
});

it('what a second reading finds was seen when as many say as have to agree', async () => {
  const { watch, nodes, mine } = await setUp({ says: [HOUR, LATE, HOUR, HOUR] });
  const height = mine();
  const says: readonly Says[] = [HOUR, LATE, HOUR, HOUR];
  await watch.turns(2);
  for (const [nth, { branch }] of nodes.entries()) {
    const [block] = branch.slice(height);
    if (block) branch.splice(height, 1, { ...block, transactions: [payment] });
    const [node] = nodes.slice(nth);
    if (node) say(node, height, says[nth] ?? 'hangs');
  }
  const [read, ...others] = nodes;
  for (let deep = 0; deep < 6; deep += 1) {
    read.mine('all');
    for (const node of others) node.branch.push(...read.branch.slice(-1));
  }
  await watch.turns(3);
  expect(await seenAgo(watch)).toEqual([HOUR]);
});

it('nobody is asked for the time of a block that pays nothing of ours, or shows what was seen before', async () => {
  const { watch, nodes, mine } = await setUp({ says: [0, 0, 0] });
  let asked = 0;
  for (const node of nodes) {
    const { timeAt } = node;
    const counting: ChainNode['timeAt'] = (height) => {
      asked += 1;
      return timeAt(height);
    };
    Object.assign(node, { timeAt: counting });
    node.pool.set('paid', payment);
  }
  await watch.turns(2);
  mine();
  mine(payment);
  await watch.turns(2);
  expect([asked, await seenAgo(watch)]).toEqual([0, [0]]);
});
