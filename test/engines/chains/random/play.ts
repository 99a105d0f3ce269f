import { expect, it } from '@jest/globals';
import { scriptOf } from '#addresses';
import type { Currency, DepositHandle, OpenEndpoint } from '../../../acceptance/harness/index.ts';
import { itWhere } from '../../../support/jest-left-out.ts';
import { judge, type Made } from './judge.ts';
import { historiesOf, untilFollowed } from './settle.ts';
import { openRandomStage } from './stage.ts';
import type { Truth } from './truth.ts';
import { webhooksOf } from './webhooks.ts';

export type Operations = {
  /** Any of them, by chance, or this one. */
  readonly step: (wanted?: 'crash' | 'watcher' | 'postgres' | 'pay' | 'mine') => Promise<void>;
  readonly made: ReadonlyMap<string, Made>;
  readonly done: () => Readonly<Record<string, number>>;
};

/** What is killed beside the node; it comes back by itself. */
export type Kill = Readonly<Record<'watcher' | 'postgres', () => void>>;

export type Play = {
  readonly coin: Currency;
  readonly seed: number;
  readonly steps: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly dust: bigint;
  readonly decimals: number;
  readonly tip: () => Promise<string>;
  readonly operations: (scripts: readonly string[], kill: Kill) => Promise<Operations>;
  readonly truth: (depositOf: ReadonlyMap<string, number>) => Promise<Truth>;
  readonly open: OpenEndpoint;
};

const unitsAt =
  (decimals: number) =>
  (coins: string): string => {
    const [whole = '0', fraction = ''] = coins.split('.');
    return String(BigInt(whole + fraction.padEnd(decimals, '0')));
  };

/** One at a time, and none waits for it. */
const besideOthers = () => {
  const trouble: unknown[] = [];
  let going: Promise<unknown> | undefined;
  const begin = (work: () => Promise<unknown>) => (): void => {
    going ??= work()
      .catch((error: unknown) => trouble.push(error))
      .finally(() => {
        going = undefined;
      });
  };
  const end = async (): Promise<readonly unknown[]> => {
    await going;
    return trouble;
  };
  return { begin, end };
};

/** Lets happen what may, waits until all of it is told, and has the node's own words judge the deposits. */
export const play = async ({ coin, seed, steps, ...how }: Play): Promise<void> => {
  const stage = await openRandomStage(coin, how.settings, how.open);
  const beside = besideOthers();
  try {
    const deposits: DepositHandle[] = [];
    for (let nth = 0; nth < Math.min(80, 8 + steps / 20); nth += 1) deposits.push(await stage.deposit());
    const depositOf = new Map(deposits.map(({ id, quote }) => [scriptOf(coin, quote.address) ?? '', id]));
    await untilFollowed(stage.service, coin, how.tip);
    const { step, made, done } = await how.operations([...depositOf.keys()], {
      watcher: beside.begin(stage.kill.watcher),
      postgres: beside.begin(stage.kill.postgres),
    });
    // However few there are, each is killed once at least.
    const killed = new Map([
      [Math.floor(steps * 0.3), 'watcher'],
      [Math.floor(steps * 0.5), 'crash'],
      [Math.floor(steps * 0.7), 'postgres'],
    ] as const);
    for (let nth = 0; nth < steps; nth += 1) await step(killed.get(nth));
    // Whatever chance gave up, something is left to judge.
    await step('pay');
    await step('mine');
    expect(await beside.end()).toEqual([]);
    await untilFollowed(stage.service, coin, how.tip);
    const truth = await how.truth(depositOf);
    const histories = await historiesOf(stage.service, deposits);
    const verdict = judge({ truth, made, histories, dust: how.dust, units: unitsAt(how.decimals) });
    const { missed, wrong, doubled, ...counts } = verdict;
    const webhooks = await webhooksOf(stage.service, stage.hooked.endpoint, deposits);
    const found = { missed: missed.length, wrong: wrong.length + webhooks.wrong.length, doubled: doubled.length };
    const told = { ...counts, mined: truth.mined.size, ...found, webhooks: webhooks.told };
    process.stderr.write(`${JSON.stringify({ coin, seed, steps, ...told, operations: done() })}\n`);
    // At once: the other parts may take hours.
    for (const each of [...missed, ...wrong, ...doubled, ...webhooks.wrong]) process.stderr.write(`  ${each}\n`);
    expect(truth.mined.size).toBeGreaterThan(0);
    expect({ missed, wrong, doubled, webhooks: webhooks.wrong }).toEqual({
      ...{ missed: [], wrong: [], doubled: [], webhooks: [] },
    });
  } finally {
    await beside.end();
    await stage.stop();
  }
};

/** A coin; of Ethereum, another node. */
type Wanted = Currency | 'GETH';

/** CHAINS_RANDOM_BTC=10000 CHAINS_RANDOM_LTC=2000 CHAINS_RANDOM_ETH=2000 CHAINS_RANDOM_SEED=7: as many, and the same again. */
const countOf = (coin: Wanted, usual: number): number => Number(process.env[`CHAINS_RANDOM_${coin}`] ?? usual);

const first = Number(process.env.CHAINS_RANDOM_SEED ?? Math.floor(Math.random() * 1e9));

const NOBODY_WAITS_MS = 3_600_000;

/** A chain of its own for so many. */
const parts = (count: number, each: number): readonly { readonly seed: number; readonly steps: number }[] =>
  Array.from({ length: Math.ceil(count / each) }, (_, nth) => ({
    seed: first + nth,
    steps: Math.min(each, count - nth * each),
  }));

/** As many as are usual, or were asked for; who wants none is told that none are played. */
export const playParts = (
  coin: Wanted,
  { usual, each }: { readonly usual: number; readonly each: number },
  playOn: (seed: number, steps: number) => Promise<void>,
): void => {
  const all = parts(countOf(coin, usual), each);
  const what = 'the deposits say what the chain says';
  for (const { seed, steps } of all) it(`${what} (seed ${seed})`, () => playOn(seed, steps), NOBODY_WAITS_MS);
  if (all.length === 0) itWhere(false, `CHAINS_RANDOM_${coin} is 0`)(what, async () => undefined);
};
