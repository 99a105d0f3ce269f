import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import type { ChainNode, ChainTransaction } from '#chains';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { type MemoryNode, memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);

const SCRIPT = `0014${'ab'.repeat(20)}`;

const paying = (txid: string, raw: string): ChainTransaction => ({ ...paymentTo(SCRIPT, txid), raw: () => raw });

/** What one node alone lists, and the one that is read refuses: each time that it is asked for one, it takes so long. */
const slowWith = (node: MemoryNode, ms: number): void => {
  const { transactions } = node;
  const slowly: ChainNode['transactions'] = async (txids) => {
    if (txids.length === 1) await delay(ms);
    return transactions(txids);
  };
  Object.assign(node, { transactions: slowly });
};

const three = async () => {
  const [read, liar, honest] = [memoryNode('read'), memoryNode('liar'), memoryNode('honest')];
  const watch = watching(database, 'BTC', [read, liar, honest], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  const sent: string[] = [];
  const submit: ChainNode['submit'] = async (raw) => {
    sent.push(raw);
    return { isIn: false, reason: 'min relay fee not met' };
  };
  Object.assign(read, { submit });
  return { watch, liar, honest, sent };
};

it('what was not sent yet comes before what a slow node has sent over and over', async () => {
  const { watch, liar, honest, sent } = await three();
  for (let nth = 0; nth < 4; nth += 1) liar.pool.set(`made-up-${nth}`, paying(`made-up-${nth}`, `0${nth}`));
  slowWith(liar, 1_600);
  await watch.listElsewhere();
  honest.pool.set('paid', paying('paid', 'ff'));
  for (let looks = 0; looks < 3; looks += 1) {
    watch.pass(31_000);
    await watch.turn();
    await watch.listElsewhere();
  }
  expect(sent).toContain('ff');
}, 60_000);

it('one that hangs keeps no other from being asked for what both list', async () => {
  const { watch, liar, honest, sent } = await three();
  liar.pool.set('paid', paying('paid', 'aa'));
  await watch.listElsewhere();
  honest.pool.set('paid', paying('paid', 'ff'));
  slowWith(liar, 3_100);
  for (let looks = 0; looks < 2; looks += 1) {
    watch.pass(61_000);
    await watch.turn();
    await watch.listElsewhere();
  }
  expect(sent).toContain('ff');
}, 60_000);
