import type { ChainNode, ChainTransaction } from '#chains';
import { ChainHeld } from '../parts.ts';
import type { Dependence } from '../rows/inputs.ts';
import type { Match } from './matches.ts';
import type { Found } from './record.ts';

const ownInputs = ({ txid, inputs }: ChainTransaction): readonly Dependence[] =>
  inputs.map((outpoint) => ({ outpoint, via: txid }));

const rawOf = async (node: ChainNode, { raw, txid }: ChainTransaction): Promise<string | null> =>
  raw ? raw() : ((await node.raw(txid)) ?? null);

/** By the state itself: what the calls of a transaction say is believed only when it came to that. */
const checkCredit = async (node: ChainNode, { transaction, output }: Match): Promise<void> => {
  const credited = await node.credited(transaction.txid, output.script);
  if (credited === undefined) return;
  const told = transaction.outputs.filter(({ script }) => script === output.script);
  const sum = told.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== credited)
    throw new ChainHeld(
      `${transaction.txid} pays ${sum} to ${output.script} by its calls and ${credited} by the state: one of them is wrong`,
    );
};

export const foundInBlock = async (node: ChainNode, matches: readonly Match[], blockHash: string): Promise<Found[]> => {
  const all: Found[] = [];
  for (const match of matches) {
    const { transaction } = match;
    await checkCredit(node, match);
    const senders = await node.sendersOf(transaction, blockHash);
    const dependences = ownInputs(transaction);
    const raw = await rawOf(node, transaction);
    all.push({ match, senders, replaceable: transaction.replaceable, raw, dependences });
  }
  return all;
};

/** Policy lets no chain of unconfirmed transactions be longer. */
const MOST_ANCESTORS = 25;

const parentsOf = ({ inputs }: ChainTransaction): readonly string[] =>
  inputs.map((outpoint) => outpoint.slice(0, outpoint.lastIndexOf(':')));

const ancestorsOf = async (
  node: ChainNode,
  transaction: ChainTransaction,
  mempool: ReadonlySet<string>,
): Promise<readonly ChainTransaction[]> => {
  const found = new Map<string, ChainTransaction>();
  let wanted = parentsOf(transaction);
  while (found.size < MOST_ANCESTORS) {
    const unknown = [...new Set(wanted)].filter((txid) => mempool.has(txid) && !found.has(txid));
    if (unknown.length === 0) break;
    const parents = await node.transactions(unknown);
    for (const parent of parents) found.set(parent.txid, parent);
    if (parents.length === 0) break;
    wanted = parents.flatMap(parentsOf);
  }
  return [...found.values()];
};

/** Whoever replaces an ancestor ends the payment too, and by BIP-125 an ancestor's word makes it replaceable. */
export const foundInMempool = async (
  node: ChainNode,
  matches: readonly Match[],
  mempool: ReadonlySet<string>,
): Promise<Found[]> => {
  const all: Found[] = [];
  for (const match of matches) {
    const { transaction } = match;
    const ancestors = await ancestorsOf(node, transaction, mempool);
    all.push({
      match,
      senders: await node.sendersOf(transaction),
      replaceable: [transaction, ...ancestors].some(({ replaceable }) => replaceable),
      raw: await rawOf(node, transaction),
      dependences: [transaction, ...ancestors].flatMap(ownInputs),
    });
  }
  return all;
};
