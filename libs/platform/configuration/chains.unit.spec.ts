import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from './index.ts';
import { problemsWith } from './testing/problems-with.ts';

const BTC_NODE_URL = 'http://me:pw@one:8332, http://two:8332';

describe('the settings of nodes', () => {
  it('of a coin that has a node', () => {
    const { chains } = readConfiguration({ BTC_NODE_URL, BTC_NODES_AGREE: '2', BTC_CONFIRMATIONS: '1,0.5:3,5:6' });
    expect(chains).toEqual([
      {
        ...{
          coin: 'BTC',
          nodeUrls: ['http://me:pw@one:8332', 'http://two:8332'],
          login: {},
          network: 'main',
          agree: 2,
        },
        ...{ headMaxAgeS: 5_400, dust: '0' },
        confirmations: [
          { from: '0', need: 1 },
          { from: '0.5', need: 3 },
          { from: '5', need: 6 },
        ],
      },
    ]);
    const [ethereum] = readConfiguration({ ETH_NODE_URL: 'http://eth:8545', ETH_NETWORK: '31337' }).chains;
    expect(ethereum).toMatchObject({ network: '31337', confirmations: [{ from: '0', need: 'safe' }], headMaxAgeS: 60 });
  });

  it.each([
    [{ BTC_NODE_URL: 'one:8332' }, 'BTC_NODE_URL must be empty or a list of URLs'],
    [{ BTC_NODE_URL: 'http://one:8332,http://me:pw@ONE:8332/' }, 'BTC_NODE_URL must not name one node twice'],
    [{ BTC_NODE_URL: 'http://one:8332,http://one.:8332' }, 'BTC_NODE_URL must not name one node twice'],
    [{ BTC_NODE_URL, BTC_NODES_AGREE: '3' }, 'BTC_NODES_AGREE must not be more than BTC_NODE_URL names'],
    [{ BTC_CONFIRMATIONS: '0' }, 'BTC_CONFIRMATIONS must be a number of blocks'],
    [{ BTC_CONFIRMATIONS: '1,5:3,1:6' }, 'BTC_CONFIRMATIONS must be a number of blocks'],
    [{ BTC_CONFIRMATIONS: '6,0.5:1' }, 'BTC_CONFIRMATIONS must be a number of blocks'],
    [{ ETH_CONFIRMATIONS: 'finalized,5:safe' }, 'ETH_CONFIRMATIONS must be a number of blocks'],
    [{ BTC_CONFIRMATIONS: 'safe' }, 'BTC_CONFIRMATIONS must be numbers of blocks'],
    [{ LTC_DUST: '1e-8' }, 'LTC_DUST must be an amount'],
    [{ BTC_NODE_USER: 'me', BTC_NODE_COOKIE: '/cookie' }, 'BTC_NODE_COOKIE and BTC_NODE_USER are both set'],
  ])('is told: %j', (settings, problem) => {
    expect(problemsWith(settings)).toEqual([expect.stringContaining(problem)]);
  });
});
