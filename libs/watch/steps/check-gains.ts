import { ownersOfScripts } from '#addresses';
import type { ChainBlock } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { ChainHeld } from '../parts.ts';
import type { Match } from './matches.ts';

const keyOf = (txid: string, script: string): string => `${txid} ${script}`;

/**
 * By the state itself: what the calls of a block say is believed only when it came to that, and nothing else did. Calls
 * that a node does not show are missed no more than others are made up.
 */
export const checkGains = async (
  db: Queryable,
  { coin }: Pick<WatchedChain, 'coin'>,
  { gains, byState = [] }: ChainBlock,
  matches: readonly Match[],
): Promise<void> => {
  if (!gains) return;
  const told = new Map<string, bigint>();
  for (const { transaction, output } of matches) {
    const key = keyOf(transaction.txid, output.script);
    told.set(key, (told.get(key) ?? 0n) + output.amount);
  }
  const scripts = gains.map(({ script }) => script);
  const owners = await ownersOfScripts(db, coin, scripts);
  const ours = gains.filter(({ script }) => owners.get(script)?.owner);
  const untold = ours.find(({ txid, amount }) => amount === undefined && byState.includes(txid));
  if (untold)
    throw new ChainHeld(`${untold.txid} has no calls, and fees or rewards are among what ${untold.script} has of it`);
  const came = new Map(ours.map(({ txid, script, amount }) => [keyOf(txid, script), amount]));
  for (const key of new Set([...told.keys(), ...came.keys()])) {
    const [calls, state] = [told.get(key) ?? 0n, came.has(key) ? came.get(key) : 0n];
    const isSame = state === undefined || state === calls || (calls === 0n && state < 0n);
    if (!isSame)
      throw new ChainHeld(
        `${key.replace(' ', ' pays ')} ${calls} by its calls and ${state} by the state: one of them is wrong`,
      );
  }
};
