import { endpoints } from '../../../acceptance/harness/index.ts';
import { describeWhere } from '../../../support/jest-left-out.ts';
import { startUtxoChain } from '../driver/index.ts';
import { missingNode } from '../nodes/index.ts';
import { play, playParts } from './play.ts';
import { seeded } from './seeded.ts';
import { utxoTruth } from './truth.ts';
import { utxoOperations } from './utxo-operations.ts';

const kinds = [
  { name: 'bitcoind', coin: 'BTC', usual: 120, each: 2_500, highest: 1_000_000 },
  // From block 432 on its regtest demands more of a block than these do.
  { name: 'litecoind', coin: 'LTC', usual: 60, each: 500, highest: 415 },
] as const;

for (const { name, coin, usual, each, highest } of kinds) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`whatever happens on ${coin}`, () => {
    const open = endpoints();

    const playOn = async (seed: number, steps: number): Promise<void> => {
      const chain = await startUtxoChain(name, 2);
      const { node } = chain;
      try {
        // Coins of a block that is given up too early are not ripe any more.
        await chain.mine(10);
        const lowest = await node.rpc<number>('getblockcount');
        await play({
          ...{ coin, seed, steps, open, dust: 2_000n, decimals: 8 },
          settings: {
            ...{ [`${coin}_NODE_URL`]: node.url, [`${coin}_NETWORK`]: 'regtest', [`${coin}_CONFIRMATIONS`]: '1' },
            [`${coin}_DUST`]: '0.00002',
          },
          tip: () => node.rpc('getbestblockhash'),
          operations: async (scripts, kill) =>
            utxoOperations({ chain, random: seeded(seed), scripts, lowest, highest, kill }),
          truth: (depositOf) => utxoTruth(node.rpc, lowest, depositOf),
        });
      } finally {
        await chain.stop();
      }
    };

    playParts(coin, { usual, each }, playOn);
  });
}
