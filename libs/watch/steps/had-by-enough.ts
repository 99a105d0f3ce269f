import type { ChainNode, ChainTransaction } from '#chains';
import { type Turn, timeOf } from '../parts.ts';
import { dependencesOf } from './ancestors.ts';
import { type Answers, askOne, askUntil, isWell } from './ask-until.ts';
import { beginLacked, forgetOld, isToSend, noteWithout, seenSince, tellFew, type Without } from './few.ts';
import { give, type Sending } from './give.ts';
import { AncestorLeft, leaningOn, waitingAncestors } from './leaning-on.ts';
import { isWaitingAt } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;
/** What takes longer is not asked with each turn: what comes new waits for none of it. */
const MUCH_MS = 500;
const REST_MS = 5_000;

/** Where a name does not prove the bytes these may be of another one, which it has. */
const takes = async ({ chain }: Turn, node: ChainNode, txid: string, sending: Sending): Promise<boolean> =>
  (await give(node, sending)) && (chain.coin !== 'ETH' || (await isWaitingAt(node, txid)));

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
const givenBy = async (turn: Turn, having: readonly ChainNode[], transaction: ChainTransaction) => {
  const [own, others] = await Promise.all([ownBytes(turn, transaction), given(turn, having, transaction)]);
  return [own, ...others.map(({ raw }) => raw)];
};

/** No name of Bitcoin and its like covers the witness, which one node could spoil: what most give comes first. */
const byMost = (raws: readonly (string | undefined)[]): readonly string[] => {
  const bySame = [
    ...Map.groupBy(
      raws.filter((raw) => raw !== undefined),
      (raw) => raw,
    ),
  ];
  return bySame.toSorted(([, one], [, other]) => other.length - one.length).map(([raw]) => raw);
};

/** Where two differ all are asked, and who has none which of them it takes. */
const bytesToKeep = async (turn: Turn, having: readonly ChainNode[], transaction: ChainTransaction) => {
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

type Had = { readonly isEnough: true; readonly raw: string | null } | ({ readonly isEnough: false } & Without);

/** Undefined where some of that has just left the mempool, and takes it along. */
const bytesBefore = async (
  turn: Turn,
  transaction: ChainTransaction,
  mempool: ReadonlySet<string>,
): Promise<readonly string[] | undefined> => {
  try {
    const ancestors = await waitingAncestors(turn.node, transaction, mempool);
    return await leaningOn(turn, transaction.txid, dependencesOf(ancestors));
  } catch (error) {
    if (!(error instanceof AncestorLeft)) throw error;
    return undefined;
  }
};

const lackedBy = (turn: Turn, nodes: readonly ChainNode[]): boolean => nodes.some((node) => isWell(turn, node));

/** To those that merely were slow to get it, or what it leans on. */
const send = async (
  turn: Turn,
  { yes, no }: Answers,
  transaction: ChainTransaction,
  { missing, before }: { readonly missing: number; readonly before: readonly string[] },
): Promise<Had> => {
  let [lacking, left, taken]: [readonly ChainNode[], number, string | undefined] = [no, missing, undefined];
  for (const raw of no.length > 0 ? byMost(await givenBy(turn, yes, transaction)) : []) {
    const sent = await askUntil(turn, lacking, left, (node) => takes(turn, node, transaction.txid, { raw, before }));
    if (sent.yes.length > 0) taken ??= raw;
    [lacking, left] = [sent.no, left - sent.yes.length];
    if (left <= 0) return { isEnough: true, raw: taken ?? raw };
  }
  return { isEnough: false, isSent: no.length > 0, isLacked: lackedBy(turn, no), isRefused: lackedBy(turn, lacking) };
};

type Asking = { readonly needed: number; readonly maySend: boolean; readonly mempool: ReadonlySet<string> };

/** The node that is read, and whoever else has it, or takes it. */
const hadBy = async (turn: Turn, transaction: ChainTransaction, { needed, maySend, mempool }: Asking): Promise<Had> => {
  const waiting = await askUntil(turn, turn.others, needed - 1, (node) => isWaitingAt(node, transaction.txid));
  const missing = needed - 1 - waiting.yes.length;
  if (missing <= 0) return { isEnough: true, raw: await bytesToKeep(turn, waiting.yes, transaction) };
  const before = maySend ? await bytesBefore(turn, transaction, mempool) : undefined;
  if (before) return send(turn, waiting, transaction, { missing, before });
  return { isEnough: false, isSent: false, isLacked: lackedBy(turn, waiting.no), isRefused: false };
};

/** One that has blocks to fetch takes nothing yet, for hours maybe, and one of another network never does. */
const neededOf = ({ chain, looks, lately }: Turn): number => {
  const counted = looks.filter(
    ({ node, state }) => state !== 'syncing' && state !== 'wrong' && (lately.hasAnswered(node) || !lately.knows()),
  );
  return Math.min(Math.max(1, chain.agree), counted.length);
};

const spentIn = ({ silent, untold: { few } }: Turn): number => (few.spent.by === silent ? few.spent.ms : 0);

/** However little of the mempool is looked at at once. */
const timed = async <T>(turn: Turn, work: () => Promise<T>): Promise<T> => {
  const from = performance.now();
  const done = await work();
  turn.untold.few.spent = { by: turn.silent, ms: spentIn(turn) + performance.now() - from };
  return done;
};

/** Of what was asked for in vain already: new ones have their turn. */
const isPutOff = (turn: Turn, txid: string): boolean => {
  const { waiting, restsUntil } = turn.untold.few;
  return spentIn(turn) >= LONGEST_MS || (waiting.has(txid) && performance.now() < restsUntil);
};

/**
 * When a payment was seen decides whether its quote still holds, and one node alone may list what its payer has sent to
 * nobody, or with a witness that no other node takes. So what waits was seen when as many have it as have to agree, or when
 * it came, where no node that is well refused it meanwhile. `raws`: of those the bytes as they can be sent again; `sinces`:
 * when they were seen.
 */
export const hadByEnough = async (turn: Turn, all: readonly ChainTransaction[], mempool: ReadonlySet<string>) => {
  const { few } = turn.untold;
  const [raws, sinces] = [new Map<string, string | null>(), new Map<string, Date>()];
  const [lacked, unasked] = [new Set<string>(), new Set<string>()];
  if (turn.chain.agree <= 1) return { raws, sinces, lacked, unasked };
  const [now, needed] = [timeOf(turn).getTime(), neededOf(turn)];
  forgetOld(few, now);
  for (const transaction of all) {
    const { txid } = transaction;
    const its = few.waiting.get(txid) ?? beginLacked(now);
    its.givenAt = now;
    if (isPutOff(turn, txid)) {
      unasked.add(txid);
      continue;
    }
    const had = await timed(turn, () => hadBy(turn, transaction, { needed, maySend: isToSend(its, now), mempool }));
    if (had.isEnough) {
      raws.set(txid, had.raw);
      sinces.set(txid, seenSince(its, now));
      few.waiting.delete(txid);
      continue;
    }
    noteWithout(its, had, now);
    few.waiting.set(txid, its);
    lacked.add(txid);
    if (spentIn(turn) >= MUCH_MS) few.restsUntil = performance.now() + REST_MS;
  }
  tellFew(turn, mempool, now);
  return { raws, sinces, lacked, unasked };
};
