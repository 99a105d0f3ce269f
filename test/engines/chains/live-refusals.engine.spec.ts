import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startService } from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { missingNode, type RunningNode, startNode } from './nodes/index.ts';

const missing = await missingNode('bitcoind');

describeWhere(missing === undefined, missing ?? '')('a start with ENGINE=live', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startNode('bitcoind');
  }, 30_000);
  afterAll(() => node?.stop());

  const refusal = (settings: Readonly<Record<string, string>>) =>
    startService({ ENGINE: 'live', ...settings }).then(
      () => 'it started',
      (error: Error) => error.message,
    );

  it('names the setting that is missing', async () => {
    expect(await refusal({})).toMatch(
      'ENGINE=live needs a node of its own for each coin that is taken: set BTC_NODE_URL',
    );
  }, 60_000);

  it('asks for the first block of a chain that has no name here', async () => {
    const unknown = { MARS_NODE_URL: node.url };
    expect(await refusal(unknown)).toMatch(
      'MARS_NETWORK names no network of MARS that is known here: give the hash of its first block',
    );
    expect(await refusal({ ...unknown, MARS_NETWORK: 'ab'.repeat(32) })).toMatch(
      /MARS_NODE_URL cannot be used: .* is not of MARS's network (ab){32}: it begins with 0f9188f1/,
    );
  }, 60_000);

  it('refuses a node of another network', async () => {
    expect(await refusal({ BTC_NODE_URL: node.url })).toMatch(
      /BTC_NODE_URL cannot be used: .* is not of BTC's network main: it begins with 0f9188f13cb7b2c71f2a335e3a4fc328/,
    );
  }, 60_000);
});
