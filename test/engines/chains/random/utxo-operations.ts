import { setTimeout as delay } from 'node:timers/promises';
import type { UtxoChain } from '../driver/index.ts';
import type { Coin, Output, Signed } from '../driver/wallet.ts';
import { RpcRefused } from '../nodes/rpc.ts';
import type { Made } from './judge.ts';
import type { Kill, Operations } from './play.ts';
import type { Random } from './seeded.ts';

type Options = {
  readonly chain: UtxoChain;
  readonly random: Random;
  /** Scripts of deposits. */
  readonly scripts: readonly string[];
  /** What is mined up to there is never given up: the coins of the test come from there. */
  readonly lowest: number;
  /** Above it the chain is not mined. */
  readonly highest: number;
  readonly kill: Kill;
};

const outpointOf = ({ txid, vout }: Coin): string => `${txid}:${vout}`;

/** A node that refuses has changed nothing. */
export const tried = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RpcRefused) return undefined;
    throw error;
  }
};

const WEIGHTS = {
  ...{ pay: 400, batch: 90, lean: 80, replace: 110, conflict: 50, mine: 130, mineSome: 40 },
  ...{ reorganise: 50, reorganiseAgainst: 25, shorter: 10, flip: 8, crash: 4, watcher: 3, postgres: 1 },
};

export const utxoOperations = ({ chain, random, scripts, lowest, highest, kill }: Options): Operations => {
  const { rpc } = chain.node;
  const signed = new Map<string, Signed>();
  const made = new Map<string, Made>();
  const coins: Coin[] = [];
  const counts: Record<string, number> = {};
  while (chain.coinsLeft() > 0) coins.push(chain.coin());

  const unspent = async (coin: Coin, withMempool = true): Promise<boolean> =>
    (await rpc('gettxout', coin.txid, coin.vout, withMempool)) !== null;

  /** A coin that can be spent now; what is spent may come back with another branch. */
  const aCoin = async (withMempool = true): Promise<Coin | undefined> => {
    for (let tries = 0; tries < 30; tries += 1) {
      const coin = random.chance(0.3) ? random.pick(coins.slice(-40)) : random.pick(coins);
      if (coin && coin.amount > 1_000_000n && (await unspent(coin, withMempool))) return coin;
    }
    return undefined;
  };

  const anAmount = (): bigint => BigInt(random.chance(0.1) ? 600 + random.below(1_300) : 2_000 + random.below(90_000));
  const paying = (count: number): Output[] =>
    Array.from({ length: count }, () => ({ script: random.pick(scripts) ?? '', amount: anAmount() }));

  const sign = (coin: Coin, outputs: readonly Output[], fee?: bigint): Signed => {
    const one = chain.payment(outputs, { coin, replaceable: random.chance(0.5), ...(fee && { fee }) });
    signed.set(one.txid, one);
    made.set(one.txid, { txid: one.txid, inputs: one.coins.map(outpointOf) });
    for (const [vout, { script, amount }] of one.outputs.entries())
      if (script === chain.wallet.script) coins.push({ txid: one.txid, vout, amount });
    return one;
  };
  const forNobody = (): Output[] => [{ script: `0014${'cd'.repeat(20)}`, amount: 30_000n }];

  const pay = async (count = 1): Promise<void> => {
    const coin = await aCoin();
    if (coin) await tried(chain.send(sign(coin, paying(count))));
  };

  const waiting = async (): Promise<readonly Signed[]> =>
    (await rpc<string[]>('getrawmempool')).flatMap((txid) => signed.get(txid) ?? []);

  /** Another that spends the same coin, for somebody else or for us. */
  const rivalOf = (one: Signed, fee: bigint): Signed | undefined => {
    const [coin] = one.coins;
    return coin && sign(coin, random.chance(0.4) ? paying(1 + random.below(2)) : forNobody(), fee);
  };

  const replace = async (): Promise<void> => {
    const one = random.pick(await waiting());
    const rival = one && rivalOf(one, 120_000n + BigInt(random.below(300_000)));
    if (rival) await tried(chain.send(rival));
  };

  const canMine = async (): Promise<boolean> => (await rpc<number>('getblockcount')) < highest;
  const settled = async (those: readonly Signed[]): Promise<readonly Signed[]> => {
    const can = await Promise.all(those.map(async ({ coins: [coin] }) => coin && (await unspent(coin, false))));
    return those.filter((_, nth) => can[nth]);
  };

  const conflict = async (): Promise<void> => {
    const one = random.pick(await settled((await waiting()).slice(0, 20)));
    const rival = one && rivalOf(one, 30_000n);
    if (rival) await tried(chain.mineOnly([rival]));
  };

  const mineSome = async (): Promise<void> => {
    const some = await settled((await waiting()).filter(() => random.chance(0.4)).slice(0, 10));
    await tried(chain.mineOnly(some));
  };

  const goBack = async (): Promise<number> => {
    // Only of what was followed is anything taken back.
    await delay(random.below(1_500));
    const height = await rpc<number>('getblockcount');
    const depth = Math.min(1 + random.below(6), height - lowest);
    if (depth < 1) return 0;
    await rpc('invalidateblock', await rpc('getblockhash', height - depth + 1));
    return depth;
  };

  const reorganise = async (): Promise<void> => {
    const depth = await goBack();
    await chain.mine(random.chance(0.8) ? depth + 1 : depth + 2);
  };

  /** Elsewhere, what was mined before is fought by others, or waits again. */
  const reorganiseAgainst = async (): Promise<void> => {
    const depth = await goBack();
    await conflict();
    for (let nth = 0; nth < depth; nth += 1) await (random.chance(0.5) ? mineSome() : chain.mine());
    await chain.mine();
  };

  const shorter = async (): Promise<void> => {
    await goBack();
    await chain.mine();
    await delay(random.below(900));
  };

  const flip = async (): Promise<void> => {
    const height = await rpc<number>('getblockcount');
    if (height <= lowest) return;
    const hash = await rpc<string>('getblockhash', Math.max(lowest + 1, height - random.below(3)));
    await rpc('invalidateblock', hash);
    await chain.mine();
    await delay(random.below(700));
    await rpc('reconsiderblock', hash);
  };

  const crash = async (): Promise<void> => {
    const lost = await waiting();
    if (random.chance(0.5)) await rpc('gettxoutsetinfo');
    await chain.node.kill();
    await delay(random.below(800));
    await chain.node.restart();
    for (const one of lost) if (random.chance(0.6)) await tried(chain.send(one));
  };

  const operations: Readonly<Record<keyof typeof WEIGHTS, () => Promise<unknown>>> = {
    pay,
    batch: () => pay(2 + random.below(7)),
    lean: async () => {
      await pay(1);
      const last = coins.at(-1);
      if (last && (await unspent(last))) await tried(chain.send(sign(last, paying(1))));
    },
    ...{ replace, conflict, mineSome, reorganise, reorganiseAgainst, shorter, flip, crash },
    mine: () => chain.mine(random.chance(0.9) ? 1 : 2),
    watcher: async () => kill.watcher(),
    postgres: async () => kill.postgres(),
  };
  const mining = new Set(['conflict', 'mine', 'mineSome', 'reorganise', 'reorganiseAgainst', 'shorter', 'flip']);
  let since = 0;

  return {
    made,
    done: () => counts,
    step: async (wanted) => {
      const chosen = wanted ?? random.choose(WEIGHTS);
      const name = mining.has(chosen) && !(await canMine()) ? 'pay' : chosen;
      // What a node has not written down is gone when it is killed, as if it had never been.
      if (since % 20 === 0) await rpc('gettxoutsetinfo');
      since += 1;
      counts[name] = (counts[name] ?? 0) + 1;
      await operations[name]();
      if (random.chance(0.3)) await delay(random.below(150));
    },
  };
};
