import type { ChainNode, ChainTransaction } from '#chains';
import { type Few, type Turn, timeOf } from '../parts.ts';
import { isWaitingAt, neededForGood, neededIn } from './witnesses.ts';

/** What a node refuses it is sent again after so long. */
const SEND_EVERY_MS = 15_000;
/** Longer than a payment takes from one node to the next. */
const LASTS_MS = 60_000;
/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;
/** What takes longer is not asked with each turn: what comes new waits for none of it. */
const MUCH_MS = 500;
const REST_MS = 5_000;

export const createFew = (): Few => ({ waiting: new Map(), restsUntil: Number.NEGATIVE_INFINITY });

/** Where a name does not prove the bytes these may be of another one, which it has. */
const takes = async ({ chain }: Turn, node: ChainNode, txid: string, raw: string): Promise<boolean> =>
  (await node.submit(raw)).isIn && (chain.coin !== 'ETH' || (await isWaitingAt(node, txid)));

const those = async (
  { silent }: Turn,
  nodes: readonly ChainNode[],
  isSo: (node: ChainNode) => Promise<boolean>,
): Promise<readonly ChainNode[]> => {
  const answers = await Promise.all(nodes.map((node) => silent.ask(node, isSo)));
  return nodes.filter((_, nth) => answers[nth] === true);
};

const ownBytes = async ({ node }: Turn, { txid, raw }: ChainTransaction): Promise<string | undefined> =>
  raw ? raw() : node.raw(txid);

/** No name of Bitcoin and its like covers the witness, which one node could spoil: what most give comes first. */
const bytesOf = async (turn: Turn, having: readonly ChainNode[], transaction: ChainTransaction) => {
  const own = await ownBytes(turn, transaction);
  const asked = turn.chain.coin === 'ETH' ? [] : having;
  const others = await Promise.all(asked.map((node) => turn.silent.ask(node, ({ raw }) => raw(transaction.txid))));
  const given = [own, ...others].filter((raw) => raw !== undefined);
  const bySame = [...Map.groupBy(given, (raw) => raw)];
  return bySame.toSorted(([, one], [, other]) => other.length - one.length).map(([raw]) => raw);
};

/** The node that is read, and whoever else has it, or takes it as it merely was slow to come. */
const hadBy = async (turn: Turn, transaction: ChainTransaction, maySend: boolean) => {
  const having = await those(turn, turn.others, (node) => isWaitingAt(node, transaction.txid));
  const all = await bytesOf(turn, having, transaction);
  const lacking = turn.others.filter((node) => !having.includes(node));
  for (const raw of maySend && lacking.length > 0 ? all : []) {
    const taking = await those(turn, lacking, (node) => takes(turn, node, transaction.txid, raw));
    if (taking.length > 0) return { count: 1 + having.length + taking.length, raw };
  }
  return { count: 1 + having.length, raw: all[0] ?? null };
};

/** One that has blocks to fetch takes nothing yet, for hours maybe. */
const neededOf = (turn: Turn): number =>
  turn.lately.knows()
    ? neededIn(
        turn,
        turn.looks.flatMap(({ node, state }) => (state === 'syncing' || state === 'wrong' ? [node] : [])),
      )
    : neededForGood(turn);

const tellFew = ({ chain, node, logger, untold: { few } }: Turn, now: number): void => {
  const late = [...few.waiting].filter(([, { since, isToldOf }]) => !isToldOf && now - since >= LASTS_MS);
  for (const [, each] of late) each.isToldOf = true;
  const [[txid] = []] = late;
  if (txid === undefined) return;
  logger.error(
    { alert: 'chain_payment_alone', chain: chain.coin, node: node.name, transactions: late.length, txid },
    'for a minute the node that is read has listed what pays us, and fewer nodes take it than have to agree: it is not seen before',
  );
};

/** What has left the mempool is new when it comes back. */
const forgetLeft = ({ untold: { few } }: Turn, mempool: ReadonlySet<string>): void => {
  for (const txid of few.waiting.keys()) if (!mempool.has(txid)) few.waiting.delete(txid);
};

/** Of what was asked for in vain already: new ones have their turn. */
const isPutOff = ({ untold: { few } }: Turn, txid: string, until: number): boolean =>
  performance.now() >= until || (few.waiting.has(txid) && performance.now() < few.restsUntil);

/**
 * When a payment was seen decides whether its quote still holds, and one node alone may list what its payer has sent to
 * nobody, or with a witness that no other node takes. So what waits was seen when as many have it as have to agree.
 * `raws`: of those the bytes as they can be sent again; `few`: of these it is asked again.
 */
export const hadByEnough = async (turn: Turn, all: readonly ChainTransaction[], mempool: ReadonlySet<string>) => {
  const { few } = turn.untold;
  const [raws, lacked, unasked] = [new Map<string, string | null>(), new Set<string>(), new Set<string>()];
  if (turn.chain.agree <= 1) return { raws, lacked, unasked };
  forgetLeft(turn, mempool);
  const [now, needed, from] = [timeOf(turn).getTime(), neededOf(turn), performance.now()];
  for (const transaction of all) {
    const { txid } = transaction;
    if (isPutOff(turn, txid, from + LONGEST_MS)) {
      unasked.add(txid);
      continue;
    }
    const before = few.waiting.get(txid) ?? { since: now, sentAt: Number.NEGATIVE_INFINITY, isToldOf: false };
    const maySend = now - before.sentAt >= SEND_EVERY_MS;
    const { count, raw } = await hadBy(turn, transaction, maySend);
    few.waiting.set(txid, maySend ? { ...before, sentAt: now } : before);
    if (count < needed) lacked.add(txid);
    else {
      raws.set(txid, raw);
      few.waiting.delete(txid);
    }
  }
  if (performance.now() - from >= MUCH_MS && lacked.size > 0) few.restsUntil = performance.now() + REST_MS;
  tellFew(turn, now);
  return { raws, lacked, unasked };
};
