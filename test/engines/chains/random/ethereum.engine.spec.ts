import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../../acceptance/harness/index.ts';
import { describeWhere } from '../../../support/jest-left-out.ts';
import { startEthereumChain } from '../driver/ethereum-chain.ts';
import { missingNode } from '../nodes/index.ts';
import { ethereumOperations } from './ethereum-operations.ts';
import { play, playParts } from './play.ts';
import { seeded } from './seeded.ts';
import { byBalances, byTraces, ethereumTruth } from './truth.ts';

const kinds = [
  { name: 'anvil', network: '31337', witness: byTraces, wanted: 'ETH', usual: 50, each: 500 },
  { name: 'geth', network: '1337', witness: byBalances, wanted: 'GETH', usual: 25, each: 200 },
] as const;

for (const { name, network, witness, wanted, ...count } of kinds) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`whatever happens on ETH: ${name}`, () => {
    const open = endpoints();

    const playOn = async (seed: number, steps: number): Promise<void> => {
      const folder = await mkdtemp(join(tmpdir(), 'cointill-anvil-state-'));
      const kept = ['--state', join(folder, 'state.json'), '--state-interval', '1', '--preserve-historical-states'];
      const chain = await startEthereumChain(name, name === 'anvil' ? kept : []);
      const { node } = chain;
      try {
        // At block 0 geth says the same as one that has not begun to fetch any.
        await chain.run({ to: `0x${'1'.repeat(40)}`, value: 1n });
        await play({
          ...{ coin: 'ETH', seed, steps, open, dust: 0n, decimals: 18 },
          settings: {
            ...{ ETH_NODE_URL: node.url, ETH_NETWORK: network, ETH_CONFIRMATIONS: '1', ETH_HEAD_MAX_AGE_S: '86400' },
          },
          tip: async () => (await node.rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash,
          operations: (scripts, kill) => ethereumOperations({ chain, random: seeded(seed), scripts, kill }),
          truth: (depositOf) => ethereumTruth(node.rpc, depositOf, witness),
        });
      } finally {
        await chain.stop();
        await rm(folder, { recursive: true, force: true });
      }
    };

    playParts(wanted, count, playOn);
  });
}
