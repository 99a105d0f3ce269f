import { beforeEach, describe, expect, it } from '@jest/globals';
import { addressesOf } from '#addresses';
import { addressesTables } from '#addresses/testing';
import { type ChainTransaction, NodeUnreachable } from '#chains';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import type { RawSignal } from './signals.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { type Watching, watching } from './testing/watching.ts';
import type { Fact, ToldInLog } from './told/in-log.ts';
import { createKeepUp } from './told/keep-up.ts';

const database = databasePerTest(...addressesTables, migrations);
const [ONE, TWO] = ['ab', 'cd'].map((byte) => `0014${byte.repeat(20)}`) as [string, string];
const TABLES = ['chain_tips', 'chain_blocks', 'chain_payments', 'chain_payment_inputs', 'chain_logs'];

const query = (text: string) => database.pool.query(text);

const keep = async (): Promise<void> => {
  for (const table of TABLES) await query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
};
const putBack = async (): Promise<void> => {
  await query(`DELETE FROM chain_outbox`);
  for (const table of TABLES)
    await query(`DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
};

type Told = RawSignal & { readonly deposit_id: number; readonly txid: string; readonly vout: number };

const factOf = (signal: Told): Fact => {
  const { txid, vout, signal_id, type } = signal;
  const place = { txid, vout, signalId: String(signal_id) };
  switch (type) {
    case 'payment.seen':
      return { ...place, kind: 'seen', amount: String(signal.amount), replaceable: false, at: new Date() };
    case 'payment.confirmed':
      return {
        ...place,
        ...{ kind: 'confirmed', block: { hash: String(signal.block_hash), height: Number(signal.block_height) } },
      };
    case 'payment.double_spent':
      return { ...place, kind: 'double_spent', replacedBy: String(signal.replaced_by) };
    default:
      return { ...place, kind: type === 'payment.dropped' ? 'dropped' : 'reorged' };
  }
};

let kept: Told[];
const positionAt = (length: number) => String(length).padStart(20, '0');
const addressOf = addressesOf('BTC', 'main');

/** Of all that was told. */
const log: ToldInLog = {
  head: async () => (kept.length === 0 ? undefined : positionAt(kept.length)),
  async *since(_, after) {
    for (const [nth, signal] of kept.entries())
      if (positionAt(nth + 1) > (after ?? ''))
        yield {
          ...{ owner: { depositId: signal.deposit_id, transactionId: null }, fact: factOf(signal) },
          position: positionAt(nth + 1),
        };
  },
  of: async ({ depositId }) => ({
    addresses: [{ currency: 'BTC', address: addressOf?.(depositId === 1 ? ONE : TWO) ?? '' }],
    facts: kept.filter(({ deposit_id }) => deposit_id === depositId).map(factOf),
  }),
};

let node: MemoryNode;
beforeEach(() => {
  kept = [];
  node = memoryNode('node');
});

const keepUpWith = (told: ToldInLog, stopping = new AbortController().signal) =>
  createKeepUp({
    ...{ pool: database.pool, owner: database.pool, logger: silentLogger },
    ...{ coin: 'BTC', told, stopping },
  });

const open = async (need = 1) => {
  const watch = watching(database, 'BTC', [node], { confirmations: [{ from: 0n, need }], isFast: async () => false });
  const keepUp = keepUpWith(log);
  await keepUp.begin();
  await watch.give(ONE, 1);
  await watch.give(TWO, 2);
  /** What was told goes into the log. */
  const send = async (): Promise<readonly string[]> => {
    // In the order in which they are sent.
    const { rows } = await query('SELECT signal FROM chain_outbox ORDER BY turn_at, id');
    await query('DELETE FROM chain_outbox');
    const told = rows.map(({ signal }) => signal as Told);
    const news = told.filter(({ signal_id }) => !kept.some((each) => each.signal_id === signal_id));
    kept.push(...news);
    return news.map(({ type, txid }) => `${type} ${txid}`);
  };
  return { ...watch, ...keepUp, send };
};

const list = (...payments: readonly ChainTransaction[]): void => {
  for (const each of payments) node.pool.set(each.txid, each);
};

describe('a database that is put back beside a log that went on', () => {
  /** Backed up before anything was paid. */
  const older = async (need?: number) => {
    const watch = await open(need);
    await watch.turn();
    await watch.keepUp();
    await keep();
    return watch;
  };
  const paid = paymentTo(ONE, 'paid');
  const rival = { ...paymentTo('0014', 'rival'), inputs: paid.inputs };

  /** Backed up while that waits. */
  const paidBefore = async () => {
    const watch = await open();
    await watch.turn();
    list(paid);
    await watch.turn();
    await watch.send();
    await watch.keepUp();
    await keep();
    return watch;
  };

  const payAndMine = async (watch: Pick<Watching, 'turn' | 'turns'>): Promise<void> => {
    list(paid);
    await watch.turn();
    node.mine('all', [paid]);
    await watch.turns(2);
  };

  it('takes back what was told to be confirmed in a block that is given up meanwhile', async () => {
    const watch = await older();
    await payAndMine(watch);
    expect(await watch.send()).toEqual(['payment.seen paid', 'payment.confirmed paid']);
    await putBack();
    node.branch.pop();
    node.mine('others');
    node.mine('others');
    const later = await open();
    expect(await later.mayTell()).toBe(false);
    await later.turns(2);
    expect(await later.mayTell()).toBe(true);
    expect(await later.send()).toEqual(['payment.reorged paid', 'payment.dropped paid']);
  });

  it('tells nothing anew of what still stands as it was told', async () => {
    const watch = await older();
    list(paid, paymentTo(TWO, 'waits'));
    await watch.turn();
    node.mine('all', [paid]);
    await watch.turns(2);
    await watch.send();
    await putBack();
    const later = await open();
    await later.turns(3);
    expect(await later.mayTell()).toBe(true);
    expect(await later.send()).toEqual([]);
    node.mine('all', [paymentTo(TWO, 'waits')]);
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.confirmed waits']);
  });

  it('counts what took the place of a payment once, behind the word that this is gone', async () => {
    const watch = await older(3);
    list(paid);
    await watch.turn();
    expect(await watch.send()).toEqual(['payment.seen paid']);
    await putBack();
    node.pool.clear();
    list({ ...paymentTo(ONE, 'bumped'), inputs: paid.inputs });
    const later = await open(3);
    await later.turns(2);
    expect(await later.mayTell()).toBe(true);
    expect(await later.send()).toEqual(['payment.dropped paid', 'payment.seen bumped']);
  });

  it('says that one is confirmed no more before it says that it is gone, and both before what took its place', async () => {
    const watch = await older();
    await payAndMine(watch);
    await watch.send();
    await putBack();
    node.branch.pop();
    node.mine('others', [{ ...paymentTo(ONE, 'bumped'), inputs: paid.inputs }]);
    const later = await open();
    await later.turns(2);
    expect(await later.send()).toEqual([
      ...['payment.reorged paid', 'payment.dropped paid', 'payment.seen bumped', 'payment.confirmed bumped'],
    ]);
  });

  it('has it confirmed anew where another branch has it in an older block', async () => {
    const watch = await older(3);
    list(paid);
    node.mine('all');
    node.mine('all', [paid]);
    await watch.turn();
    for (let nth = 0; nth < 2; nth += 1) node.mine('all');
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.seen paid', 'payment.confirmed paid']);
    await putBack();
    node.branch.splice(1);
    node.mine('others', [paid]);
    node.mine('others');
    const later = await open(3);
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.reorged paid']);
    node.mine('others');
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.confirmed paid']);
  });

  it('tells nothing of what stands where the last block that it knew was given up', async () => {
    const watch = await open();
    await watch.turn();
    node.mine('orphan');
    await watch.turn();
    await watch.keepUp();
    await keep();
    node.branch.pop();
    node.mine('all');
    node.mine('all', [paid]);
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.seen paid', 'payment.confirmed paid']);
    await putBack();
    const later = await open();
    await later.turns(3);
    expect(await later.send()).toEqual([]);
  });

  it('goes on from the block that it had applied, where the chain is back on that', async () => {
    const watch = await open();
    await watch.turn();
    node.mine('all', [paid]);
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.seen paid', 'payment.confirmed paid']);
    await watch.keepUp();
    await keep();
    const [block] = node.branch.splice(1);
    node.mine('others');
    node.mine('others');
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.reorged paid']);
    await putBack();
    node.branch.splice(1);
    if (block) node.branch.push(block);
    for (let nth = 0; nth < 5; nth += 1) node.mine('all');
    const later = await open();
    await later.turns(3);
    expect(await later.send()).toEqual(['payment.confirmed paid']);
  });

  it('keeps what a miner made for a hundred blocks, and the bytes of all', async () => {
    const minted = { ...paymentTo(ONE, 'minted'), isCoinbase: true };
    const watch = await older();
    node.mine('all', [minted]);
    await watch.turn();
    expect(await watch.send()).toEqual(['payment.seen minted']);
    await putBack();
    const later = await open();
    node.mine('all');
    await later.turns(3);
    expect(await later.send()).toEqual([]);
    const { rows } = await query('SELECT is_coinbase, raw, is_of_log FROM chain_payments');
    expect(rows).toEqual([{ is_coinbase: true, raw: '00', is_of_log: false }]);
  });

  it('does not go past a history that is broken, and takes it up once that is mended', async () => {
    const watch = await older();
    list(paid);
    await watch.turn();
    await watch.send();
    await putBack();
    node.pool.clear();
    const first = keepUpWith({ ...log, of: async () => undefined });
    await first.begin();
    await first.keepUp();
    const later = await open();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.dropped paid']);
  });

  it('takes up a later story than the row is of, though that says the same', async () => {
    const watch = await paidBefore();
    node.pool.clear();
    node.mine('all', [rival]);
    await watch.turn();
    node.branch.pop();
    node.mine('others');
    node.mine('others');
    list(paid);
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.double_spent paid', 'payment.seen paid']);
    await putBack();
    node.pool.clear();
    node.mine('others', [rival]);
    const later = await open();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.double_spent paid']);
  });

  it('asks for the others all the same where one answer is lost', async () => {
    const watch = await older();
    const crowd = Array.from({ length: 60 }, (_, nth) => paymentTo(ONE, `paid ${nth}`));
    list(...crowd);
    await watch.turns(2);
    expect(await watch.send()).toHaveLength(60);
    await putBack();
    node.pool.clear();
    const lost = new Set(['paid 3']);
    Object.assign(node, {
      raw: async (txid: string) => {
        if (lost.has(txid)) throw new NodeUnreachable('timeout');
        return undefined;
      },
    });
    const later = await open();
    await later.turns(2);
    expect(await later.mayTell()).toBe(false);
    expect(await later.send()).toHaveLength(59);
    lost.clear();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.dropped paid 3']);
  });

  it('writes nothing over what another has told meanwhile, and stops where it is to stop', async () => {
    const watch = await older();
    list(paid);
    await watch.turn();
    await watch.send();
    await putBack();
    let meanwhile: (() => Promise<unknown>) | undefined = async () => {
      const next = await open();
      await next.turns(2);
      node.mine('all', [paid]);
      await next.turns(2);
      expect(await next.send()).toEqual(['payment.confirmed paid']);
    };
    const slow: ToldInLog = {
      ...log,
      of: async (owner) => {
        const history = await log.of(owner);
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
        return history;
      },
    };
    const late = keepUpWith(slow);
    await expect(late.begin()).rejects.toThrow('is somewhere else in the log');
    expect((await query('SELECT state FROM chain_payments')).rows).toEqual([{ state: 'confirmed' }]);
    kept.push(...kept.splice(0).map((signal) => ({ ...signal, txid: 'another' })));
    await expect(keepUpWith(slow, AbortSignal.abort()).begin()).rejects.toThrow('abort');
  });

  it('takes again what was told to be gone, and comes back', async () => {
    const watch = await older();
    list(paid);
    await watch.turn();
    node.pool.clear();
    node.mine('all', [rival]);
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.seen paid', 'payment.double_spent paid']);
    await putBack();
    node.branch.pop();
    node.mine('others', [paid]);
    const later = await open();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.seen paid', 'payment.confirmed paid']);
  });

  it('tells of a reorganisation first where the row knew the payment as waiting', async () => {
    const watch = await paidBefore();
    node.mine('all', [paid]);
    await watch.turns(2);
    expect(await watch.send()).toEqual(['payment.confirmed paid']);
    await putBack();
    node.branch.pop();
    node.mine('others', [rival]);
    const later = await open();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.reorged paid', 'payment.double_spent paid']);
  });

  it('takes nothing back of what rows know, and have told, or are about to tell', async () => {
    const watch = await older();
    await payAndMine(watch);
    await watch.send();
    node.branch.pop();
    node.mine('others');
    await watch.turn();
    // It ends before that is told.
    const later = await open();
    expect(await later.mayTell()).toBe(true);
    expect(await later.send()).toEqual(['payment.reorged paid']);
  });

  it('is where nothing is known at all the same', async () => {
    const watch = await open();
    await watch.turn();
    await payAndMine(watch);
    await watch.send();
    for (const table of TABLES) await query(`DELETE FROM ${table}`);
    node.branch.pop();
    node.mine('others');
    const later = await open();
    await later.turn();
    for (let nth = 0; nth < 3; nth += 1) await later.rescan();
    await later.turns(2);
    expect(await later.send()).toEqual(['payment.reorged paid', 'payment.dropped paid']);
  });
});
