import type { ChainNode, ChainTransaction } from '#chains';
import { ancestorsOf, dependencesOf } from './ancestors.ts';
import type { Match } from './matches.ts';
import type { Found } from './record.ts';

const rawOf = async (node: ChainNode, { raw, txid }: ChainTransaction): Promise<string | null> =>
  raw ? raw() : ((await node.raw(txid)) ?? null);

/** One transaction may pay many of ours: what is asked of it is asked once. */
const foundBy = async (
  matches: readonly Match[],
  ask: (transaction: ChainTransaction) => Promise<Omit<Found, 'match'>>,
): Promise<Found[]> => {
  const all: Found[] = [];
  for (const those of Map.groupBy(matches, ({ transaction }) => transaction.txid).values()) {
    const [first] = those;
    const told = first && (await ask(first.transaction));
    if (told) all.push(...those.map((match) => ({ match, ...told })));
  }
  return all;
};

export const foundInBlock = (node: ChainNode, matches: readonly Match[], blockHash: string): Promise<Found[]> =>
  foundBy(matches, async (transaction) => ({
    senders: await node.sendersOf(transaction, blockHash),
    replaceable: transaction.replaceable,
    raw: await rawOf(node, transaction),
    dependences: dependencesOf([transaction]),
  }));

/** Whoever replaces an ancestor ends the payment too, and by BIP-125 an ancestor's word makes it replaceable. */
export const foundInMempool = (
  node: ChainNode,
  matches: readonly Match[],
  mempool: ReadonlySet<string>,
): Promise<Found[]> => {
  const waiting = (txids: readonly string[]) => node.transactions(txids.filter((txid) => mempool.has(txid)));
  return foundBy(matches, async (transaction) => {
    const ancestors = await ancestorsOf(transaction, waiting);
    return {
      senders: await node.sendersOf(transaction),
      replaceable: [transaction, ...ancestors].some(({ replaceable }) => replaceable),
      raw: await rawOf(node, transaction),
      dependences: dependencesOf([transaction, ...ancestors]),
    };
  });
};
