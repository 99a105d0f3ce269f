import type { Gain } from '../chain-node.ts';
import type { RpcClient } from '../rpc/client.ts';
import { besideIn, type Withdrawal } from './beside.ts';
import { amountIn, hashIn } from './shapes.ts';
import { changesIn, type Difference, type Moving, withMore } from './state.ts';

type Block = {
  readonly hash: string;
  readonly parentHash: string;
  readonly miner: string;
  readonly transactions: readonly unknown[];
  readonly withdrawals?: readonly Withdrawal[] | null;
};

/** By transaction and account, how much more was moved than the state shows. */
export type Beyond = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

type States<Sent> = readonly (readonly [Sent, Difference])[];

type Sums = ReadonlyMap<string, bigint>;

const sumsOf = (all: readonly Sums[], accounts: ReadonlySet<string>): Sums => {
  const sums = new Map([...accounts].map((script) => [script, 0n]));
  for (const [script, amount] of all.flatMap((each) => [...each])) {
    const sum = sums.get(script);
    if (sum !== undefined) sums.set(script, sum + amount);
  }
  return sums;
};

/** What accounts have more with a block, by its transactions; without those of which the node no longer knows it. */
const gainedIn = async ({ batch }: RpcClient, block: Block, accounts: ReadonlySet<string>): Promise<Sums> => {
  const scripts = [...accounts];
  const balancesAt = (blockHash: string): Promise<readonly (string | undefined)[]> =>
    batch<string>(scripts.map((script) => ['eth_getBalance', script, { blockHash }]));
  const [before, after] = [await balancesAt(block.parentHash), await balancesAt(block.hash)];
  const beside = new Map(besideIn(block).map(({ script, amount = 0n }) => [script, amount]));
  return new Map(
    scripts.flatMap((script, nth) => {
      const [had, has] = [before[nth], after[nth]];
      const isTold = had !== undefined && has !== undefined;
      return isTold ? [[script, amountIn(has) - amountIn(had) - (beside.get(script) ?? 0n)] as const] : [];
    }),
  );
};

export type Witnessed<Sent> = {
  readonly states: States<Sent>;
  /** By transaction, the accounts of which no balance tells what they have more after it. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
};

export const openGains = (open: Witnessed<unknown>['open']): readonly Gain[] =>
  [...open].flatMap(([hash, scripts]) =>
    [...scripts].map((script) => ({ txid: hashIn(hash), script, amount: undefined, isOpen: true })),
  );

/**
 * Nethermind leaves accounts out of the state that it tells of a transaction once one of its calls has run out of gas, and
 * calls ended whoever is left something by a contract that ends. Who is right of the state and of what moved an account's
 * own balance shows, before the block and behind it; the state is put right by that. Where neither is, that tells it of an
 * account that is in question in one transaction alone.
 */
export const witnessed = async <Sent extends Moving>(
  client: RpcClient,
  block: Block,
  states: States<Sent>,
  beyond: Beyond,
): Promise<Witnessed<Sent>> => {
  const accounts = new Set([...beyond.values()].flatMap((more) => [...more.keys()]));
  if (accounts.size === 0) return { states, open: new Map() };
  const came = await gainedIn(client, block, accounts);
  const shown = sumsOf(
    states.map(([, state]) => changesIn(state)),
    accounts,
  );
  const said = sumsOf([...beyond.values()], accounts);
  const names = (hash: string, state: Difference, script: string): boolean =>
    beyond.get(hash)?.has(script) !== false || changesIn(state).has(script);
  /** No other transaction of the block can have moved any of it. */
  const isAlone = (script: string): boolean =>
    states.filter(([{ hash }, state]) => names(hash, state, script)).length === 1;
  const moreOf = (script: string, own: bigint): bigint | undefined => {
    const gained = came.get(script);
    if (gained === undefined) return undefined;
    const missing = gained - (shown.get(script) ?? 0n);
    if (missing === 0n) return 0n;
    if (missing === said.get(script)) return own;
    return isAlone(script) ? missing : undefined;
  };
  const known = new Map(
    [...beyond].map(([hash, more]) => [hash, [...more].map(([script, own]) => [script, moreOf(script, own)] as const)]),
  );
  const openOf = (own: readonly (readonly [string, bigint | undefined])[]): ReadonlySet<string> =>
    new Set(own.flatMap(([script, more]) => (more === undefined ? [script] : [])));
  return {
    open: new Map([...known].map(([hash, own]) => [hash, openOf(own)] as const).filter(([, { size }]) => size > 0)),
    states: states.map(([sent, state]) => {
      const own = (known.get(sent.hash) ?? []).flatMap(([script, more]) => (more ? [[script, more] as const] : []));
      return [sent, own.length > 0 ? withMore(state, new Map(own)) : state] as const;
    }),
  };
};
