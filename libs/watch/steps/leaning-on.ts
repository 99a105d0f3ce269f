import type { ChainNode, ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';
import type { Dependence } from '../rows/inputs.ts';
import { rawOf } from '../rows/payments.ts';
import { ancestorsOf, parentsOf } from './ancestors.ts';
import type { Sending } from './give.ts';

/** What it leans on has left the mempool since that was listed, and takes it along: what is told of both is found anew. */
export class AncestorLeft extends Error {
  override readonly name = 'AncestorLeft';
}

/** What a transaction of the mempool leans on there. */
export const waitingAncestors = (
  node: ChainNode,
  transaction: ChainTransaction,
  mempool: ReadonlySet<string>,
): Promise<readonly ChainTransaction[]> =>
  ancestorsOf(transaction, async (txids) => {
    const wanted = txids.filter((txid) => mempool.has(txid));
    const there = await node.transactions(wanted);
    if (there.length < wanted.length) throw new AncestorLeft(`${there.length} of ${wanted.length} are left`);
    return there;
  });

/** Each behind what it spends. */
const eldestFirst = (dependences: readonly Dependence[]): readonly string[] => {
  const byVia = Map.groupBy(dependences, ({ via }) => via);
  const sorted = new Set<string>();
  const begun = new Set<string>();
  const add = (txid: string): void => {
    if (begun.has(txid)) return;
    begun.add(txid);
    const parents = parentsOf({ inputs: (byVia.get(txid) ?? []).map(({ outpoint }) => outpoint) });
    for (const parent of parents) if (byVia.has(parent)) add(parent);
    sorted.add(txid);
  };
  for (const txid of byVia.keys()) add(txid);
  return [...sorted];
};

const bytesOf = async ({ node, others, silent }: Turn, txid: string): Promise<string | undefined> => {
  for (const each of [node, ...others]) {
    const raw = await silent.ask(each, (asked) => asked.raw(txid));
    if (raw !== undefined) return raw;
  }
  return undefined;
};

/** The bytes of what a payment leans on and somebody has, in the order in which a node takes them that has none of it. */
export const leaningOn = async (
  turn: Turn,
  txid: string,
  dependences: readonly Dependence[],
): Promise<readonly string[]> => {
  const raws: string[] = [];
  for (const each of eldestFirst(dependences)) {
    const raw = each === txid ? undefined : await bytesOf(turn, each);
    if (raw !== undefined) raws.push(raw);
  }
  return raws;
};

/** One that waited, as it was seen; null where no node gave its bytes. */
export const sendingOf = async (
  turn: Turn,
  txid: string,
  dependences: readonly Dependence[],
): Promise<Sending | null> => {
  const raw = await rawOf(turn.pool, turn.chain.coin, txid);
  return raw === null ? null : { raw, before: await leaningOn(turn, txid, dependences) };
};
