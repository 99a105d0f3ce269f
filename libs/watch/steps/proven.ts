import { type ChainNode, type ChainTransaction, NodeUnreadable } from '#chains';
import { withinTime } from '#platform/pause';
import { askedFirst, type Turn } from '../parts.ts';
import { isSent, type Match, matchesIn } from './matches.ts';
import { hangs } from './said-senders.ts';
import { neededForGood } from './witnesses.ts';

/** They come with one answer. */
const BYTES_MS = 5_000;

const provenBy = async (turn: Turn, node: ChainNode, txid: string): Promise<ChainTransaction | undefined> => {
  if (!node.provenBy || hangs(turn, node)) return undefined;
  try {
    return await withinTime(node.provenBy(txid), BYTES_MS);
  } catch {
    // Whatever keeps it from that, bytes are the same wherever they come from.
    turn.mute.add(node);
    return undefined;
  }
};

const spelled = ({ inputs, outputs }: ChainTransaction): string =>
  [...inputs, ...outputs.map(({ script, amount }) => `${script} ${amount}`)].join();

/** Whoever answers has it no more: it has left since it was listed. */
const GONE = 'gone';

/** As many as have to agree, and more than say otherwise. */
const saidAlike = async (turn: Turn, txid: string): Promise<ChainTransaction | typeof GONE | undefined> => {
  const nodes = [turn.node, ...turn.others];
  const answers = await Promise.all(
    nodes.map((node) => turn.silent.ask(node, async (each) => ({ said: await each.saysOf?.(txid) }))),
  );
  const there = answers.filter((each) => each !== undefined);
  const said = there.flatMap((each) => each.said ?? []);
  if (there.length > 0 && said.length === 0) return GONE;
  const groups = [...Map.groupBy(said, spelled).values()];
  const alike = groups.find(({ length }) => length >= neededForGood(turn) && 2 * length > said.length);
  return alike?.[0];
};

/** What is certain of a transaction: by its bytes, whoever gives them, else as nodes say it alike. */
const certainOf = async (turn: Turn, txid: string): Promise<ChainTransaction | typeof GONE | undefined> => {
  for (const node of [turn.node, ...turn.others]) {
    const proven = await provenBy(turn, node, txid);
    if (proven) return proven;
  }
  return saidAlike(turn, txid);
};

/** Of a coin whose names do not prove what they name, where one node is not believed alone. */
const isAsked = ({ chain, node }: Turn): boolean => chain.agree > 1 && node.provenBy !== undefined;

/** Without what one node alone says: whose number it takes is not known then, nor whom it is from. */
const uncertain = (transaction: ChainTransaction): ChainTransaction => {
  const own = transaction.inputs.map((outpoint) => outpoint.split(':')[0]);
  return { ...transaction, inputs: [], senders: transaction.senders.filter((each) => !own.includes(each)) };
};

/** All that a transaction pays of ours. */
const contradicts = (those: readonly Match[], certain: ChainTransaction): boolean =>
  those.some(
    ({ chain, transaction, output: { vout, script, amount } }) =>
      String(transaction.inputs) !== String(certain.inputs) ||
      (isSent({ chain, vout }) && !certain.outputs.some((each) => each.script === script && each.amount === amount)),
  );

const byTransaction = (matches: readonly Match[]) => Map.groupBy(matches, ({ transaction }) => transaction.txid);

const OTHERWISE = 'its bytes, or as many nodes as have to agree, say otherwise';

const tellContradicted = ({ chain, node, logger }: Turn, [txid]: readonly string[]): void => {
  if (txid === undefined) return;
  logger.error(
    { alert: 'chain_transaction_contradicted', chain: chain.coin, node: node.name, txid },
    `a node tells of a transaction what it is not: ${OTHERWISE}, and that counts`,
  );
};

/**
 * Of what waits, and pays us as the node that is read says, what is certain of it: that is told, and what it spends may
 * end it. What has left meanwhile is not among them, and other transactions are as they were.
 */
export const certainWaiting = async (turn: Turn, read: readonly ChainTransaction[]) => {
  const { pool, chain } = turn;
  const matches = await matchesIn(pool, chain, read);
  if (matches.length === 0 || !isAsked(turn)) return { transactions: read, matches };
  const certain = new Map<string, ChainTransaction>();
  const [contradicted, ours]: [string[], ChainTransaction[]] = [[], []];
  const gone = new Set<string>();
  for (const [txid, those] of byTransaction(matches)) {
    const known = await certainOf(turn, txid);
    if (known === GONE) {
      gone.add(txid);
      continue;
    }
    if (known) certain.set(txid, known);
    if (known && known.unreadable === undefined && contradicts(those, known)) contradicted.push(txid);
    ours.push(...(known ? [known] : those.slice(0, 1).map(({ transaction }) => uncertain(transaction))));
  }
  tellContradicted(turn, contradicted);
  const transactions = read.flatMap((each) => (gone.has(each.txid) ? [] : (certain.get(each.txid) ?? each)));
  return { transactions, matches: await matchesIn(pool, chain, ours) };
};

/** It was asked about before. */
const isKnown = ({ raw, inputs }: ChainTransaction): boolean => raw !== undefined || inputs.length === 0;

/** The same of what a block pays. A node that tells there what is not so tells nothing of that block. */
export const certainMined = async (
  turn: Turn,
  node: ChainNode,
  matches: readonly Match[],
): Promise<readonly Match[]> => {
  if (!isAsked(turn)) return matches;
  const certain: Match[] = [];
  for (const [txid, those] of byTransaction(matches)) {
    if (those.some(({ transaction }) => isKnown(transaction))) {
      certain.push(...those);
      continue;
    }
    const said = await certainOf(askedFirst(turn, node), txid);
    const known = said === GONE ? undefined : said;
    if (known && contradicts(those, known))
      throw new NodeUnreadable(`it tells of ${txid} what it is not: ${OTHERWISE}`);
    certain.push(
      ...those.map(({ transaction, ...match }) => ({
        ...match,
        transaction: known ? { ...transaction, raw: known.raw } : uncertain(transaction),
      })),
    );
  }
  return certain;
};
