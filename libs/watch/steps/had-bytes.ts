import type { ChainNode, ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';
import { askOne, askUntil } from './ask-until.ts';
import { give, hasOnceTaken, type Sending, type Taken } from './give.ts';

export const takes = async (
  { chain }: Turn,
  node: ChainNode,
  txid: string,
  { offered, ...sending }: Sending & { readonly offered?: Set<string> },
): Promise<Taken> => hasOnceTaken(chain.coin, node, txid, await give(node, sending, offered));

const ownBytes = async ({ node }: Turn, { txid, raw }: ChainTransaction): Promise<string | undefined> =>
  raw ? raw() : node.raw(txid);

const given = (turn: Turn, nodes: readonly ChainNode[], { txid }: ChainTransaction) =>
  Promise.all(
    (turn.chain.coin === 'ETH' ? [] : nodes).map(async (node) => ({
      node,
      raw: await askOne(turn, node, ({ raw }) => raw(txid)),
    })),
  );

/** The node that is read, and those of these that have it. */
export const givenBy = async (turn: Turn, having: readonly ChainNode[], transaction: ChainTransaction) => {
  const [own, others] = await Promise.all([ownBytes(turn, transaction), given(turn, having, transaction)]);
  return [own, ...others.map(({ raw }) => raw)];
};

/** No name of Bitcoin and its like covers the witness, which one node could spoil: what most give comes first. */
export const byMost = (raws: readonly (string | undefined)[]): readonly string[] => {
  const bySame = [
    ...Map.groupBy(
      raws.filter((raw) => raw !== undefined),
      (raw) => raw,
    ),
  ];
  return bySame.toSorted(([, one], [, other]) => other.length - one.length).map(([raw]) => raw);
};

/** Where two differ all are asked, and who has none which of them it takes. */
export const bytesToKeep = async (turn: Turn, having: readonly ChainNode[], transaction: ChainTransaction) => {
  const some = await givenBy(turn, having, transaction);
  const [first = null, ...differing] = byMost(some);
  if (differing.length === 0) return first;
  const rest = await given(
    turn,
    turn.others.filter((node) => !having.includes(node)),
    transaction,
  );
  const lacking = rest.flatMap(({ node, raw }) => (raw === undefined ? [node] : []));
  const raws = byMost([...some, ...rest.map(({ raw }) => raw)]);
  for (const raw of raws) {
    const { yes } = await askUntil(turn, lacking, 1, (node) =>
      takes(turn, node, transaction.txid, { raw, before: [] }),
    );
    if (yes.length > 0) return raw;
  }
  return raws[0] ?? null;
};
