import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode } from '#chains';
import { servedPerFile } from '../../test/support/served-per-file.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { memoryNode, paymentTo } from './testing/memory-node.ts';
import { watching } from './testing/watching.ts';

const database = databasePerTest(...addressesTables, migrations);
const SCRIPT = `0014${'ab'.repeat(20)}`;

let body = '';
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end(body));
});
const url = servedPerFile(server);
const odd = () => bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' });

const goesOn = async (third: ReturnType<typeof memoryNode> | ReturnType<typeof odd>) => {
  const [one, two] = [memoryNode('one'), memoryNode('two')];
  const watch = watching(database, 'BTC', [third, one, two], { agree: 2 });
  await watch.give(SCRIPT, 1);
  await watch.turn();
  one.mine('all', [paymentTo(SCRIPT, 'paid')]);
  two.follow(one);
  await watch.turns(2);
  expect((await watch.told()).map(({ type }) => type)).toEqual(['payment.seen', 'payment.confirmed']);
  return { watch, report: await watch.report() };
};

it.each([
  ['refuses', '{"id":0,"result":null,"error":{"code":-1,"message":"no \\u0000 way"}}'],
  ['begins with', '{"id":0,"result":"\\u0000"}'],
  ['refuses at length', `{"id":0,"result":null,"error":{"code":-1,"message":"${'no '.repeat(300_000)}"}}`],
  ['begins at length with', `{"id":0,"result":"${'no '.repeat(300_000)}"}`],
])('a chain goes on beside one node of three that %s in words that no database keeps', async (_, answer) => {
  body = answer;
  const { report } = await goesOn(odd());
  expect(report).toMatchObject({ height: 1, held: null });
  const told = report?.nodes.find(({ name }) => name === new URL(url()).host);
  expect(told?.state).toMatch(/unreachable|wrong/);
  expect(told?.problem?.length).toBeLessThan(1_000);
});

it('a chain goes on where what was found of one node cannot be kept, which is told once', async () => {
  const { watch, report } = await goesOn({ ...memoryNode('odd'), check: async () => 'it is \0' });
  expect(report).toMatchObject({ height: 1, held: null });
  expect(report?.nodes.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(watch.alarms().filter(({ alert }) => alert === 'chain_node_not_kept')).toMatchObject([{ node: 'odd' }]);
});
