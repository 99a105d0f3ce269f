import { type ChainNode, unless } from '#chains';
import { withinTime } from '#platform/pause';
import type { Turn } from '../parts.ts';
import { type Conflict, conflictsWith, type Spending } from '../rows/inputs.ts';
import { isRefusal } from './shown.ts';

/** A node that hangs has no word in this turn. */
const PATIENCE_MS = 3_000;

const REMEMBERED = 50;

/** Nothing is begun that nobody would wait for. */
const ask = async <T>(
  { silent }: Turn,
  node: ChainNode,
  question: () => Promise<T> | undefined,
): Promise<T | undefined> => {
  const answer = silent.has(node) ? undefined : question();
  return answer && withinTime(unless(isRefusal, answer), PATIENCE_MS).catch(() => undefined);
};

/** A block that is not decided for long is not fetched with each turn. */
const spendingIn = async (turn: Turn, node: ChainNode, hash: string): Promise<readonly Spending[] | undefined> => {
  const { own } = turn.shown;
  const key = `${node.name} ${hash}`;
  const known = own.get(key) ?? (await ask(turn, node, () => node.spending?.(hash)));
  if (!known) return undefined;
  own.set(
    key,
    known.map(({ txid, inputs }) => ({ txid, inputs })),
  );
  const [oldest] = own.keys();
  if (own.size > REMEMBERED && oldest !== undefined) own.delete(oldest);
  return known;
};

/**
 * Which payments a block ends, and which not (undefined), by what its transactions name as their own, and by receipts: a
 * node that no longer has the state of then tells that still. Of what state alone tells, as a number that an authorisation
 * uses up, it has no word.
 */
export const ownWordOf = async (
  turn: Turn,
  node: ChainNode,
  hash: string,
  said: readonly Conflict[],
): Promise<ReadonlyMap<string, string | undefined>> => {
  const words = new Map<string, string | undefined>();
  const spending = await spendingIn(turn, node, hash);
  if (!spending) return words;
  const { pool, chain } = turn;
  const ended = new Map((await conflictsWith(pool, chain.coin, spending)).map(({ txid, by }) => [txid, by]));
  const mined = new Set(spending.map(({ txid }) => txid));
  for (const [txid, those] of Map.groupBy(said, (conflict) => conflict.txid)) {
    const isFailure = those.some(({ by }) => by === txid) && mined.has(txid);
    if (ended.has(txid)) words.set(txid, ended.get(txid));
    else if (those.every(({ by }) => !mined.has(by))) words.set(txid, undefined);
    else if (isFailure && (await ask(turn, node, () => node.failed?.(txid))) === hash) words.set(txid, txid);
  }
  return words;
};
