import { expect, it } from '@jest/globals';
import { scriptOf } from '#addresses';
import { type DepositHandle, endpoints } from '../../../acceptance/harness/index.ts';
import { describeWhere } from '../../../support/jest-left-out.ts';
import { startUtxoChain } from '../driver/index.ts';
import { missingNode } from '../nodes/index.ts';
import { judge } from './judge.ts';
import { seeded } from './seeded.ts';
import { historiesOf, untilFollowed, webhooksDoubled } from './settle.ts';
import { openRandomStage } from './stage.ts';
import { utxoTruth } from './truth.ts';
import { utxoOperations } from './utxo-operations.ts';

const DUST = 2_000n;

/** CHAINS_RANDOM_BTC=10000 CHAINS_RANDOM_LTC=2000 CHAINS_RANDOM_SEED=7: as many operations, and the same again. */
const kinds = [
  {
    node: 'bitcoind',
    coin: 'BTC',
    count: Number(process.env.CHAINS_RANDOM_BTC ?? 120),
    highest: 1_000_000,
    each: 2_500,
  },
  // From block 432 on its regtest demands more of a block than these do.
  { node: 'litecoind', coin: 'LTC', count: Number(process.env.CHAINS_RANDOM_LTC ?? 60), highest: 415, each: 500 },
] as const;
const first = Number(process.env.CHAINS_RANDOM_SEED ?? Math.floor(Math.random() * 1e9));
const NOBODY_WAITS_MS = 3_600_000;

for (const { node: name, coin, count, highest, each } of kinds) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`whatever happens on ${coin}`, () => {
    const open = endpoints();

    const play = async (seed: number, steps: number): Promise<void> => {
      const random = seeded(seed);
      const chain = await startUtxoChain(name, 2);
      const { rpc } = chain.node;
      // Coins of a block that is given up too early are not ripe any more.
      await chain.mine(10);
      await rpc('gettxoutsetinfo');
      const base = await rpc<number>('getblockcount');
      const settings = {
        ...{ [`${coin}_NODE_URL`]: chain.node.url, [`${coin}_NETWORK`]: 'regtest', [`${coin}_CONFIRMATIONS`]: '1' },
        ...{ [`${coin}_DUST`]: '0.00002' },
      };
      const stage = await openRandomStage(coin, settings, open);
      const background = new Set<Promise<unknown>>();
      const trouble: unknown[] = [];
      const behind = (work: () => Promise<unknown>): void => {
        if (background.size > 0) return;
        const going: Promise<unknown> = work()
          .catch((error: unknown) => trouble.push(error))
          .finally(() => background.delete(going));
        background.add(going);
      };
      try {
        const deposits: DepositHandle[] = [];
        for (let nth = 0; nth < Math.min(80, 8 + steps / 20); nth += 1) deposits.push(await stage.deposit());
        const depositOf = new Map(deposits.map(({ id, quote }) => [scriptOf(coin, quote.address) ?? '', id]));
        await untilFollowed(stage.service, coin, () => rpc('getbestblockhash'));
        const operations = utxoOperations({
          ...{ chain, random, scripts: [...depositOf.keys()], lowest: base, highest },
          kill: { watcher: () => behind(stage.kill.watcher), postgres: () => behind(stage.kill.postgres) },
        });
        // However few there are, each is killed once at least.
        const killed = new Map([
          [Math.floor(steps * 0.3), 'watcher'],
          [Math.floor(steps * 0.5), 'crash'],
          [Math.floor(steps * 0.7), 'postgres'],
        ] as const);
        for (let nth = 0; nth < steps; nth += 1) await operations.step(killed.get(nth));
        await Promise.all(background);
        expect(trouble).toEqual([]);
        await untilFollowed(stage.service, coin, () => rpc('getbestblockhash'));
        const truth = await utxoTruth(rpc, base, depositOf);
        const histories = await historiesOf(stage.service, deposits);
        const units = (coins: string): string => {
          const [whole = '0', fraction = ''] = coins.split('.');
          return String(BigInt(whole + fraction.padEnd(8, '0')));
        };
        const verdict = judge({ truth, made: operations.made, histories, dust: DUST, units });
        const webhooks = await webhooksDoubled(stage.service, stage.hooked.endpoint, deposits);
        const { missed, wrong, doubled, ...counts } = verdict;
        const told = {
          ...counts,
          missed: missed.length,
          wrong: wrong.length,
          doubled: doubled.length + webhooks.doubled.length,
        };
        process.stderr.write(
          `${JSON.stringify({ coin, seed, steps, mined: truth.mined.size, ...told, webhooks: webhooks.webhooks, ...operations.done() })}\n`,
        );
        expect(truth.mined.size).toBeGreaterThan(steps / 10);
        expect({ missed, wrong, doubled, webhooks: webhooks.doubled }).toEqual({
          missed: [],
          wrong: [],
          doubled: [],
          webhooks: [],
        });
      } finally {
        await Promise.all(background);
        await stage.stop();
        await chain.stop();
      }
    };

    for (let nth = 0; nth * each < count; nth += 1)
      it(
        `the deposits say what the chain says (seed ${first + nth})`,
        () => play(first + nth, Math.min(each, count - nth * each)),
        NOBODY_WAITS_MS,
      );
  });
}
