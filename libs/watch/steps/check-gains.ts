import { ownersOfScripts } from '#addresses';
import type { ChainBlock } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import type { Match } from './matches.ts';

const keyOf = (txid: string, script: string): string => `${txid} ${script}`;

type Moved = { readonly txid: string; readonly script: string; readonly amount: bigint };

const sumsOf = (moved: readonly Moved[]): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { txid, script, amount } of moved) {
    const key = keyOf(txid, script);
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  return sums;
};

/** Of an address that passes on what it is paid the state shows what is left. */
const passedOnIn = ({ transactions }: Pick<ChainBlock, 'transactions'>): readonly Moved[] =>
  transactions.flatMap(({ txid, passedOn = [] }) => passedOn.map((passed) => ({ txid, ...passed })));

/**
 * By the state itself: what the calls of a block say is believed only when it came to that, and nothing else did. Calls
 * that a node does not show are missed no more than others are made up. A sentence, where they contradict each other.
 */
export const contradictionIn = async (
  db: Queryable,
  { coin }: Pick<WatchedChain, 'coin'>,
  { gains, transactions }: ChainBlock,
  matches: readonly Match[],
): Promise<string | undefined> => {
  if (!gains) return undefined;
  const paid = sumsOf(matches.map(({ transaction: { txid }, output }) => ({ txid, ...output })));
  const passed = sumsOf(passedOnIn({ transactions }));
  const owners = await ownersOfScripts(
    db,
    coin,
    gains.map(({ script }) => script),
  );
  const ours = gains.filter(({ script }) => owners.get(script)?.owner);
  const open = ours.find(({ isOpen }) => isOpen);
  if (open)
    return `${open.txid} contradicts the state in what ${open.script} came to, and no balance tells which is right`;
  const came = new Map(ours.map(({ txid, script, amount }) => [keyOf(txid, script), amount]));
  for (const key of new Set([...paid.keys(), ...came.keys()])) {
    const [got, gave, state] = [paid.get(key) ?? 0n, passed.get(key) ?? 0n, came.has(key) ? came.get(key) : 0n];
    const isSame = state === undefined || state === got - gave || (got === 0n && state <= 0n);
    if (!isSame)
      return `${key.replace(' ', ' pays ')} ${got - gave} by its calls and ${state} by the state: one of them is wrong`;
  }
  return undefined;
};
