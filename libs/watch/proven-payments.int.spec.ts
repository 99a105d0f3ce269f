import { describe, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { type ChainTransaction, NodeUnreachable } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const OURS = `0x${'ab'.repeat(20)}`;
const [SENDER, STRANGER, CONTRACT] = [`0x${'51'.repeat(20)}`, `0x${'58'.repeat(20)}`, `0x${'cc'.repeat(20)}`] as const;

type Facts = { readonly nonce?: number; readonly amount?: bigint; readonly to?: string; readonly txid?: string };

/** As a node tells of one that pays. */
const from = (sender: string, facts: Facts = {}): ChainTransaction => {
  const { nonce = 7, amount = 70_000n, to = OURS, txid = 'paid' } = facts;
  const paid = paymentTo(to, txid);
  const inputs = [`${sender}:${nonce}`];
  return { ...paid, inputs, senders: [sender], outputs: [{ vout: 0, script: to, amount }], raw: undefined };
};

const PAID = from(SENDER);
const LIE = from(STRANGER, { nonce: 5 });
/** A stranger's, which takes the number that the lie names. */
const REAL = from(STRANGER, { nonce: 5, to: `0x${'99'.repeat(20)}`, txid: 'real' });

/** Bytes that are there say what one is, whatever any node says of it. */
const nodesOf = (count: number, bytes: ChainTransaction | undefined): readonly MemoryNode[] =>
  Array.from({ length: count }, (_, nth): MemoryNode => {
    const node = memoryNode(nth === 0 ? 'liar' : `honest ${nth}`);
    const { pool } = node;
    const sendersOf: MemoryNode['sendersOf'] = async ({ txid, inputs, senders }) =>
      inputs.length > 0 ? senders : [...(pool.get(txid)?.senders ?? [undefined]), ...senders];
    const raw = async (txid: string) => (pool.has(txid) ? `bytes of ${txid}` : undefined);
    const provenBy: MemoryNode['provenBy'] = async (txid) =>
      bytes && (pool.has(txid) || txid !== bytes.txid) ? bytes : undefined;
    return { ...node, sendersOf, raw, provenBy };
  });

const heard = async (watch: Watching) =>
  (await watch.told()).map(({ type, funding_addresses: senders, passed, status, amount }) =>
    [type, senders ?? [], passed ?? [], status ?? [], amount ?? []].flat(),
  );

const SUM = '0.00000000000007';
const SEEN = ['payment.seen', SENDER, SUM];
const PASSED = ['guards.completed', true];

/** All of them have it; the first of them, which is read, says this of it. */
const waiting = async (
  said: ChainTransaction,
  {
    bytes,
    count = 3,
    agree = 2,
  }: { readonly bytes?: ChainTransaction | undefined; readonly count?: number; readonly agree?: number },
) => {
  const nodes = nodesOf(count, bytes);
  const watch = watching(database, 'ETH', nodes, {
    ...{ agree, isFast: async () => true },
    confirmations: [{ from: 0n, need: 2 }],
  });
  await watch.give(OURS, 1);
  await watch.turn();
  const [liar, ...others] = nodes;
  if (!liar) throw new Error('there is no node');
  liar.pool.set('paid', said);
  for (const { pool } of others) pool.set('paid', PAID);
  const mine = (transactions: readonly ChainTransaction[]): void => {
    liar.mine('all', transactions);
    for (const other of others) {
      other.follow(liar);
      for (const { txid } of transactions) other.pool.delete(txid);
    }
  };
  return { watch, liar, others, mine };
};

describe.each([
  ['by its bytes', PAID],
  ['by as many nodes as have to agree', undefined],
] as const)('a payment of ETH that waits is known %s', (_, bytes) => {
  it('to be from whom it is, and of which number, whatever the node says that is read', async () => {
    const { watch, mine } = await waiting(LIE, { bytes });
    await watch.turns(2);
    expect(await heard(watch)).toEqual([SEEN, PASSED]);
    mine([REAL]);
    await watch.turn();
    expect(await heard(watch)).toEqual([]);
    mine([PAID]);
    mine([]);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([['payment.confirmed']]);
    expect(watch.alerts()).toEqual(['chain_transaction_contradicted']);
  });

  it('to be ended by whoever takes its number', async () => {
    const { watch, mine } = await waiting(LIE, { bytes });
    await watch.turns(2);
    await watch.told();
    mine([{ ...REAL, inputs: PAID.inputs }]);
    await watch.turn();
    expect(await heard(watch)).toEqual([['payment.double_spent']]);
  });

  it('to pay what it pays', async () => {
    const { watch } = await waiting(from(SENDER, { amount: 70_000_000n }), { bytes });
    await watch.turns(2);
    expect(await heard(watch)).toEqual([SEEN, PASSED]);
    expect(watch.alarms()).toMatchObject([
      { alert: 'chain_transaction_contradicted', chain: 'ETH', node: 'liar', txid: 'paid' },
    ]);
  });
});

it('one whose bytes pay somebody else is no payment of ETH, and that is told', async () => {
  const { watch } = await waiting(PAID, { bytes: { ...REAL, txid: 'paid' } });
  await watch.turns(2);
  expect([await heard(watch), watch.alerts()]).toEqual([[], ['chain_transaction_contradicted']]);
});

it('one whose bytes no chain takes is passed over', async () => {
  const unreadable = 'it is signed for chain 56';
  const { watch } = await waiting(PAID, { bytes: { ...PAID, inputs: [], outputs: [], senders: [], unreadable } });
  await watch.turns(2);
  expect(await heard(watch)).toEqual([]);
  expect(watch.alarms()).toMatchObject([{ alert: 'chain_transaction_unreadable', reason: unreadable }]);
});

describe('of a payment of ETH that waits, without bytes, where each node says something else', () => {
  const unknown = async () => {
    const all = await waiting(LIE, {});
    all.others[1]?.pool.delete('paid');
    await all.watch.turns(2);
    expect(await heard(all.watch)).toEqual([
      ['payment.seen', STRANGER, SENDER, SUM],
      ['kyt.completed', 'review'],
    ]);
    return all;
  };

  it('a person looks where it comes from, no guard passes, and nothing ends it', async () => {
    const { watch, mine } = await unknown();
    mine([REAL]);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
  });

  it('it passes no guard either where all have it since', async () => {
    const { watch, liar, others } = await unknown();
    for (const { pool } of [liar, ...others]) pool.set('paid', PAID);
    await watch.turns(2);
    expect(await heard(watch)).toEqual([]);
  });
});

it('one that is proven passes no guard while others say that it is of another number', async () => {
  const { watch, others } = await waiting(PAID, { bytes: PAID });
  for (const { pool } of others) pool.set('paid', from(SENDER, { nonce: 8 }));
  await watch.turns(2);
  expect(await heard(watch)).toEqual([SEEN]);
  for (const { pool } of others) pool.set('paid', PAID);
  await watch.turn();
  expect(await heard(watch)).toEqual([PASSED]);
});

it('where one node is believed alone it is what that one says', async () => {
  const { watch, mine } = await waiting(LIE, { bytes: PAID, agree: 1 });
  await watch.turns(2);
  expect(await heard(watch)).toEqual([['payment.seen', STRANGER, SUM], PASSED]);
  mine([REAL]);
  await watch.turn();
  expect(await heard(watch)).toEqual([['payment.double_spent']]);
});

it('what one node said of its number before ends it no more once its bytes are there', async () => {
  const { watch, mine } = await waiting(PAID, { bytes: PAID });
  await database.pool.query(
    "INSERT INTO chain_payment_inputs (chain, outpoint, txid, via) VALUES ('ETH', $1, 'paid', 'paid')",
    [...LIE.inputs],
  );
  await watch.turns(2);
  mine([REAL]);
  await watch.turn();
  expect(await heard(watch)).toEqual([SEEN, PASSED]);
});

it('bytes that another node gives prove it as well', async () => {
  const { watch, liar } = await waiting(LIE, { bytes: PAID });
  Object.assign(liar, { provenBy: () => Promise.reject(new NodeUnreachable('it does not answer')) });
  await watch.turns(2);
  expect(await heard(watch)).toEqual([SEEN, PASSED]);
});

describe('in a block', () => {
  const passedOn = { vout: 1, script: OURS, amount: 70_000n };
  const calls = (transaction: ChainTransaction): ChainTransaction => ({
    ...transaction,
    ...{ outputs: [passedOn], senders: [...transaction.senders, CONTRACT] },
  });

  /** Each node has a block of the same name, with this in it. */
  const mined = async (said: ChainTransaction, theirs: ChainTransaction, bytes?: ChainTransaction, isKnown = true) => {
    const { watch, liar, others } = await waiting(said, { bytes });
    for (const node of [liar, ...others]) Object.assign(node, { mempool: async () => [] });
    for (const { pool } of others) pool.delete('paid');
    for (const { pool } of isKnown ? others : []) pool.set('paid', theirs);
    liar.mine('all', [said]);
    liar.pool.set('paid', said);
    const block = { ...liar.branch[1], transactions: [theirs] };
    for (const other of others) Object.assign(other.follow(liar) ?? other.branch, { 1: block });
    await watch.turns(2);
    return watch;
  };

  it.each([
    ['from somebody else', LIE],
    ['of another number', from(SENDER, { nonce: 8 })],
    ['of another sum', from(SENDER, { amount: 70_000_000n })],
  ])('a payment of ETH that the node which is read says to be %s is taken from another', async (_, lie) => {
    const watch = await mined(lie, PAID, PAID);
    expect((await heard(watch))[0]).toEqual(SEEN);
    expect(watch.alarms()).toMatchObject([{ alert: 'chain_node', node: 'liar' }]);
  });

  it('where nobody else says whom it is from a person looks, and the contracts that pass it on are named', async () => {
    const watch = await mined(calls(PAID), calls(PAID), undefined, false);
    expect((await heard(watch)).slice(0, 2)).toEqual([
      ['payment.seen', SENDER, CONTRACT, SUM],
      ['kyt.completed', 'review'],
    ]);
  });

  it.each([
    ['proven', PAID],
    ['said alike', undefined],
  ] as const)('it is told with the contracts that pass it on: %s', async (_, bytes) => {
    const watch = await mined(calls(PAID), calls(PAID), bytes);
    expect((await heard(watch))[0]).toEqual(['payment.seen', SENDER, CONTRACT, SUM]);
  });
});

it('where they agree in nothing else, two of three say whom ETH comes from, and not the one that is read', async () => {
  const { watch, others } = await waiting(from('clean'), {});
  others[1]?.pool.set('paid', from(SENDER, { amount: 60_000n }));
  await watch.turns(2);
  expect(await heard(watch)).toEqual([SEEN]);
});

it('what has left every node since it was listed is seen when it is back, and not without its sender', async () => {
  const { watch, liar, others } = await waiting(PAID, {});
  const was = [liar, ...others].map((node) => ({ node, saysOf: node.saysOf }));
  for (const { node } of was) Object.assign(node, { saysOf: async () => undefined });
  await watch.turns(2);
  expect(await heard(watch)).toEqual([]);
  for (const { node, saysOf } of was) Object.assign(node, { saysOf });
  await watch.turns(2);
  expect(await heard(watch)).toEqual([SEEN, PASSED]);
});
