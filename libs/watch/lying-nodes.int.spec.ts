import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { NodeRefused } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;
const paid = paymentTo(SCRIPT, 'paid');
const MADE_UP = 'f'.repeat(64);

const heard = async (watch: Watching) => (await watch.told()).map(({ type, txid }) => [type, txid] as const);
const SEEN_AND_CONFIRMED = [
  ['payment.seen', 'paid'],
  ['payment.confirmed', 'paid'],
];

/** Of three nodes, of which two have to agree, the first is read and lies. */
const three = async (coin: 'BTC' | 'ETH' = 'BTC', blocks = 5) => {
  const [liar, b, c] = [memoryNode('liar'), memoryNode('b'), memoryNode('c')];
  for (let nth = 0; nth < blocks; nth += 1) b.mine('all');
  for (const node of [liar, c]) node.follow(b);
  const watch = watching(database, coin, [liar, b, c], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  expect(await watch.report()).toMatchObject({ height: blocks });
  /** The chain of the others gets on, and a turn is taken every ten seconds. */
  const goOn = async (turns: number, ...first: Parameters<MemoryNode['mine']>[1] & object) => {
    for (let nth = 0; nth < turns; nth += 1) {
      b.mine('all', nth === 0 ? first : []);
      c.follow(b);
      watch.pass(10_000);
      await watch.turn().catch(() => undefined);
    }
  };
  return { liar, b, c, watch, goOn };
};

const saysHead = (node: MemoryNode, height: () => number): void => {
  const time = () => Math.floor(Date.now() / 1_000);
  const tip = async () => ({ hash: MADE_UP, height: height(), time: time(), isSyncing: false, prunedBelow: 0 });
  Object.assign(node, { tip });
};

const notHeld = async ({ watch, b }: Pick<Awaited<ReturnType<typeof three>>, 'watch' | 'b'>) =>
  expect(await watch.report()).toMatchObject({ hash: b.branch.at(-1)?.hash, held: null });

const liarOf = async (watch: Watching) => (await watch.report())?.nodes.find(({ name }) => name === 'liar');

describe('the one node that is read', () => {
  it.each([
    ['names none', async () => undefined],
    ['refuses to name one', () => Promise.reject(new NodeRefused('getblockhash', -1, 'no'))],
  ])('and says that it has more blocks, and %s of them, is left for another, and told of', async (_, unnamed) => {
    const { liar, b, c, watch, goOn } = await three();
    const { hashAt } = liar;
    saysHead(liar, () => b.branch.length + 5);
    Object.assign(liar, { hashAt: (height: number) => (height <= 5 ? hashAt(height) : unnamed()) });
    await goOn(4, paid);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await notHeld({ watch, b });
    // It is read again where another is away for a moment, and left again.
    const { tip } = b;
    Object.assign(b, { tip: () => Promise.reject(new NodeRefused('getblockchaininfo', -28, 'it begins')) });
    await goOn(1);
    Object.assign(b, { tip });
    await goOn(3);
    await notHeld({ watch, b: c });
    expect(watch.alerts()).not.toContain('chain_held');
  });

  it('and says it has more blocks, and names none, is told of', async () => {
    const { liar, b, watch, goOn } = await three();
    const { hashAt } = liar;
    saysHead(liar, () => b.branch.length + 5);
    Object.assign(liar, { hashAt: async (height: number) => (height <= 5 ? hashAt(height) : undefined) });
    await goOn(2);
    expect(await liarOf(watch)).toMatchObject({
      state: 'unreachable',
      problem: expect.stringContaining('names no block at height 6'),
    });
    expect(watch.alerts()).toEqual(['chain_node']);
  });

  it('and names an old block as the next one is left for another in that turn, and not asked over and over', async () => {
    const { liar, b, watch, goOn } = await three();
    const { hashAt, block } = liar;
    let asked = 0;
    Object.assign(liar, {
      hashAt: async (height: number) => (height === 6 ? liar.branch[3]?.hash : hashAt(height)),
      block: (hash: string) => {
        asked += 1;
        return block(hash);
      },
    });
    b.mine('all', [paid]);
    liar.follow(b);
    await goOn(3);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await notHeld({ watch, b });
    expect(asked).toBeLessThan(5);
    expect(watch.alerts()).toEqual(['chain_node']);
  });

  it('and says that another block is the parent of the next one has that taken from another', async () => {
    const { liar, b, c, watch, goOn } = await three('ETH');
    const { block } = liar;
    Object.assign(liar, {
      block: async (hash: string) => {
        const given = await block(hash);
        return given && { ...given, parent: 'made up' };
      },
    });
    b.mine('all', [paid]);
    for (const node of [liar, c]) node.follow(b);
    await watch.turn();
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await goOn(2);
    await notHeld({ watch, b });
    expect(await liarOf(watch)).toMatchObject({
      problem: expect.stringContaining('is behind made up, and not behind'),
    });
  });

  it.each([true, false])('and has no block of those that were applied holds no reorganisation up: %s', async (shy) => {
    const { liar, b, c, watch, goOn } = await three('BTC', 10);
    b.branch.pop();
    b.mine('new');
    c.follow(b);
    saysHead(liar, () => 1_000_000);
    Object.assign(liar, { hashAt: async (height: number) => (height > 10 && shy ? undefined : `made up ${height}`) });
    await goOn(4, paid);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await notHeld({ watch, b });
    expect(watch.alerts()).not.toContain('chain_held');
  });

  it.each([
    ['names none', async () => undefined],
    ['refuses to name one', () => Promise.reject(new NodeRefused('getblockhash', -1, 'no'))],
  ])(
    'and %s behind a block that it made up and was applied is left for the branch of the others',
    async (_, unnamed) => {
      const { liar, b, watch, goOn } = await three();
      liar.mine('liar');
      await watch.turn();
      expect(await watch.report()).toMatchObject({ height: 6 });
      const { hashAt } = liar;
      saysHead(liar, () => 1_000_000);
      Object.assign(liar, { hashAt: (height: number) => (height > 6 ? unnamed() : hashAt(height)) });
      await goOn(6, paid);
      expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
      await notHeld({ watch, b });
    },
  );

  /** Its head is above what it names when it is looked at, and below that as soon as it is asked for the next block. */
  const twoFaced = ({ liar, b }: Pick<Awaited<ReturnType<typeof three>>, 'liar' | 'b'>): void => {
    const { hashAt, tip } = liar;
    saysHead(liar, () => b.branch.length + 5);
    const high = liar.tip;
    let isAsked = false;
    Object.assign(liar, {
      hashAt: async (height: number) => {
        isAsked ||= height === 6;
        return height <= 5 ? hashAt(height) : undefined;
      },
      tip: () => {
        const is = isAsked;
        isAsked = false;
        return is ? tip() : high();
      },
    });
  };

  it('and has an answer to everything is left all the same where most others go on and nothing is applied', async () => {
    const { liar, b, watch, goOn } = await three();
    twoFaced({ liar, b });
    await goOn(6, paid);
    expect(await heard(watch)).toEqual(SEEN_AND_CONFIRMED);
    await notHeld({ watch, b });
  });
});
