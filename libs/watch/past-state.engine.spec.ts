import { expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('geth');

describeWhere(missing === undefined, missing ?? '')('a geth, 150 blocks on', () => {
  const database = databasePerTest(...addressesTables, migrations);

  const watched = async (mode: string) => {
    const chain = await startEthereumChain('geth', ['--gcmode', mode]);
    database.atEnd(chain.stop);
    for (let block = 0; block < 150; block += 1) await chain.run({ to: `0x${'cd'.repeat(20)}`, value: 1n });
    const watch = watching(database, 'ETH', [ethereumNode({ url: chain.node.url, network: '1337' })]);
    await watch.turn();
    return { alerts: watch.alerts(), report: await watch.report() };
  };

  it('that keeps no more than 128 states is read, and says what it cannot tell and what helps', async () => {
    const { alerts, report } = await watched('full');
    expect(alerts).toEqual(['chain_node_falls_short']);
    expect(report).toMatchObject({ held: null, nodes: [{ state: 'ok' }] });
    expect(report?.nodes[0]?.problem).toMatch(/state of a day ago: .*let ETH_NODE_URL name .*--gcmode archive/);
  }, 120_000);

  it('that keeps them has nothing to say', async () => {
    const { alerts, report } = await watched('archive');
    expect([alerts, report?.nodes[0]?.problem]).toEqual([[], null]);
  }, 120_000);
});
