import { readFile } from 'node:fs/promises';
import { bitcoinLikeNode } from '#chains';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { startWatch } from '#watch';
import { nothingTold } from '#watch/testing';

const { DATABASE_URL: url = '', NODE_URL = '' } = process.env;

/** Whatever is told is taken: what an engine makes of it is measured elsewhere. */
const watching = startWatch({
  ...{ pool: createPool({ url, applicationName: 'bench', logger: silentLogger }), logger: silentLogger },
  chains: [
    {
      ...{ coin: 'BTC', nodes: [bitcoinLikeNode({ url: NODE_URL, coin: 'BTC', network: 'regtest' })], agree: 1 },
      ...{ confirmations: [{ from: 0n, need: 1 }], headMaxAgeMs: 86_400_000, dust: 0n },
    },
  ],
  takeSignals: async (signals) => signals.map(() => ({ signal_id: null, outcome: 'applied', detail: null })),
  told: nothingTold,
  isFault: () => false,
  isFast: async () => false,
  fullRbf: 'allow',
  everyMs: 20,
});

const highest = async (): Promise<number> =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) / 1_024;

process.once('SIGTERM', async () => {
  await watching.stop();
  process.stdout.write(`${Math.round(await highest())}\n`, () => process.exit(0));
});
