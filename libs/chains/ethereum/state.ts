import type { Gain } from '../chain-node.ts';
import type { Fee } from './fees.ts';
import { DIRECT, INTERNAL, type Paid } from './frames.ts';
import { accountIn, amountIn, hashIn } from './shapes.ts';

export type Accounts = Readonly<Record<string, { readonly balance?: string; readonly nonce?: number | string }>>;

/** What the prestate tracer tells of one transaction: accounts before, and what changed of them. */
export type Difference = { readonly pre: Accounts; readonly post: Accounts };

export const STATE = {
  tracer: 'prestateTracer',
  tracerConfig: { diffMode: true, disableCode: true, disableStorage: true },
};

const balancesIn = (accounts: Accounts): ReadonlyMap<string, bigint> =>
  new Map(
    Object.entries(accounts).flatMap(([address, { balance }]) =>
      balance === undefined ? [] : [[accountIn(address), amountIn(balance)] as const],
    ),
  );

/** What did not change is left out of what is after; an account that is left out altogether has ended. */
const balancesAfter = (pre: Accounts, post: Accounts): ReadonlyMap<string, bigint> => {
  const there = new Set(Object.keys(post).map(accountIn));
  const ended = [...balancesIn(pre).keys()].filter((address) => !there.has(address));
  return new Map([...ended.map((address) => [address, 0n] as const), ...balancesIn(post)]);
};

/** By account, what it has more after it: fees, and rewards for mining, are among that. An account that was not there had nothing. */
export const changesIn = ({ pre, post }: Difference): ReadonlyMap<string, bigint> => {
  const before = balancesIn(pre);
  return new Map(
    [...balancesAfter(pre, post)].map(([script, after]) => [script, after - (before.get(script) ?? 0n)] as const),
  );
};

/** Whether others got what accounts lost, but for what was paid for being mined. */
export const balances = (miner: string, state: Difference, { cost, tip }: Fee): boolean => {
  const changes = changesIn(state);
  const sum = [...changes.values()].reduce((all, change) => all + change, 0n);
  return sum === (changes.has(accountIn(miner)) ? tip : 0n) - cost;
};

const byAccount = (accounts: Accounts): ReadonlyMap<string, Accounts[string]> =>
  new Map(Object.entries(accounts).map(([address, each]) => [accountIn(address), each]));

const withBalances = (accounts: Accounts, balances: readonly (readonly [string, bigint])[]): Accounts => {
  const all = byAccount(accounts);
  const set = balances.map(
    ([script, amount]) => [script, { ...all.get(script), balance: `0x${amount.toString(16)}` }] as const,
  );
  return Object.fromEntries([...all, ...set]);
};

/** As it is where accounts have so much more after it than it shows. */
export const withMore = (state: Difference, more: ReadonlyMap<string, bigint>): Difference => {
  const changes = changesIn(state);
  const put = [...more].map(([script, amount]) => [script, (changes.get(script) ?? 0n) + amount] as const);
  return {
    pre: withBalances(
      state.pre,
      put.map(([script, change]) => [script, change < 0n ? -change : 0n]),
    ),
    post: withBalances(
      state.post,
      put.map(([script, change]) => [script, change > 0n ? change : 0n]),
    ),
  };
};

export type Moving = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
};

/** Undefined of one that makes a contract. */
const toOf = ({ to }: Moving): string | undefined => (to ? accountIn(to) : undefined);

/** What it has less by sending it. */
const spentBy = ({ from, to, value }: Moving, { cost, hasFailed }: Fee): bigint =>
  hasFailed || to?.toLowerCase() === from.toLowerCase() ? cost : cost + amountIn(value);

/**
 * Of whoever pays for being mined, or earns by mining, more than payments moves the balance: what that is has to be known
 * to tell the rest.
 */
export const gainsBy = (sent: Moving, miner: string, state: Difference, fee?: Fee): readonly Gain[] => {
  const [sender, earner] = [accountIn(sent.from), accountIn(miner)];
  const beside = (script: string): bigint | undefined => {
    if (script !== sender && script !== earner) return 0n;
    return fee && (script === sender ? spentBy(sent, fee) : 0n) - (script === earner ? fee.tip : 0n);
  };
  return [...changesIn(state)].map(([script, change]) => {
    const more = beside(script);
    const amount = more === undefined ? undefined : change + more;
    return { txid: hashIn(sent.hash), script, amount };
  });
};

/**
 * What came of a transaction that succeeded, where nobody tells its calls: what was sent, and what an account has more
 * beside that.
 */
export const paidByState = (sent: Moving, miner: string, state: Difference, fee?: Fee): Paid => {
  const [sender, direct, to] = [accountIn(sent.from), amountIn(sent.value), toOf(sent)];
  // What somebody sends himself moves nothing.
  const called = to === sender ? undefined : to;
  const gains = new Map(gainsBy(sent, miner, state, fee).map(({ script, amount }) => [script, amount] as const));
  if (called !== undefined && !gains.has(called)) gains.set(called, 0n);
  const beside = [...gains].flatMap(([script, amount]) =>
    amount === undefined ? [] : [{ script, amount: script === called ? amount - direct : amount }],
  );
  return {
    outputs: [
      ...(called !== undefined && direct > 0n ? [{ vout: DIRECT, script: called, amount: direct }] : []),
      ...beside.flatMap(({ script, amount }) => (amount > 0n ? [{ vout: INTERNAL, script, amount }] : [])),
    ],
    passedOn: beside.flatMap(({ script, amount }) => (amount < 0n ? [{ script, amount: -amount }] : [])),
    senders: [...new Set([sender, ...beside.flatMap(({ script, amount }) => (amount < 0n ? [script] : []))])],
  };
};

/**
 * By account, how much more it says than the state does: of everybody but who pays fees, or earns them. What a contract that
 * ended leaves itself, or is sent from then on, is burnt: no call tells that, and the state shows so much less.
 */
export const beyondState = (
  sent: Moving,
  miner: string,
  state: Difference,
  { outputs, passedOn }: Paid,
  ended: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  const add = (script: string, amount: bigint): unknown => sums.set(script, (sums.get(script) ?? 0n) + amount);
  for (const { script, amount } of outputs) add(script, amount);
  for (const { script, amount } of passedOn) add(script, -amount);
  for (const { script, amount } of gainsBy(sent, miner, state))
    if (amount === undefined) sums.delete(script);
    else add(script, -amount);
  return new Map([...sums].filter(([script, amount]) => amount < 0n || (amount > 0n && !ended.has(script))));
};
