import type { ChainNode, ChainTransaction } from '#chains';
import { type Few, type Lacked, type Turn, timeOf } from '../parts.ts';
import { type Answers, askUntil, isWell } from './ask-until.ts';
import {
  beginLacked,
  forgetOld,
  isToSend,
  noteHang,
  noteWithout,
  rests,
  seenSince,
  tellFew,
  type Without,
} from './few.ts';
import { byMost, bytesToKeep, givenBy, takes } from './had-bytes.ts';
import { type Ancestors, type AskAncestors, ancestorsGivenBy, areAwaited, bytesBefore } from './leaning-on.ts';
import { offeredTo } from './offers.ts';
import { isWaitingAt } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;
/** What takes longer is not asked with each turn: what comes new waits for none of it. */
const MUCH_MS = 500;
const REST_MS = 5_000;

type Had = { readonly isEnough: true; readonly raw: string | null } | ({ readonly isEnough: false } & Without);

const lackedBy = (turn: Turn, nodes: readonly ChainNode[]): boolean => nodes.some((node) => isWell(turn, node));

/** To those that merely were slow to get it, or what it leans on. */
const send = async (
  turn: Turn,
  { yes, no }: Answers,
  transaction: ChainTransaction,
  { missing, ancestors, its }: { readonly missing: number; readonly ancestors: Ancestors; readonly its: Lacked },
): Promise<Had> => {
  const before = no.length > 0 ? bytesBefore(ancestors, await ancestorsGivenBy(turn, yes, ancestors)) : [];
  let [lacking, left, taken]: [readonly ChainNode[], number, string | undefined] = [no, missing, undefined];
  let isWhole = true;
  for (const raw of no.length > 0 ? byMost(await givenBy(turn, yes, transaction)) : []) {
    const sent = await askUntil(turn, lacking, left, (node) =>
      takes(turn, node, transaction.txid, { raw, before, offered: offeredTo(its, node) }),
    );
    isWhole &&= sent.later.length === 0;
    if (sent.yes.length > 0) taken ??= raw;
    [lacking, left] = [sent.no, left - sent.yes.length];
    if (left <= 0) return { isEnough: true, raw: taken ?? raw };
  }
  const isSent = no.length > 0 && isWhole;
  return { isEnough: false, isSent, isLacked: lackedBy(turn, no), isRefused: lackedBy(turn, lacking) };
};

type Asking = {
  readonly needed: number;
  readonly now: number;
  readonly its: Lacked;
  readonly ancestorsOf: AskAncestors;
};

/** The node that is read, and whoever else has it, or takes it. */
const hadBy = async (
  turn: Turn,
  transaction: ChainTransaction,
  { needed, now, its, ancestorsOf }: Asking,
): Promise<Had> => {
  const waiting = await askUntil(turn, turn.others, needed - 1, (node) => isWaitingAt(node, transaction.txid));
  const missing = needed - 1 - waiting.yes.length;
  if (missing <= 0) return { isEnough: true, raw: await bytesToKeep(turn, waiting.yes, transaction) };
  const ancestors = isToSend(its, now) ? await ancestorsOf(transaction) : undefined;
  // Without what it leans on it would be refused for that alone.
  if (ancestors && !areAwaited(ancestors)) return send(turn, waiting, transaction, { missing, ancestors, its });
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
const timed = async (turn: Turn, lacked: Lacked, work: () => Promise<Had>): Promise<Had> => {
  const { few } = turn.untold;
  const [from, { hung }] = [performance.now(), few];
  const had = await work();
  few.spent = { by: turn.silent, ms: spentIn(turn) + performance.now() - from };
  if (few.hung > hung) noteHang(lacked);
  return had;
};

/** Of what was asked for in vain already: new ones have their turn. */
const isPutOff = (turn: Turn, txid: string): boolean => spentIn(turn) >= LONGEST_MS || rests(turn, txid);

type NotHad = Readonly<Record<'lacked' | 'unasked', Set<string>>>;

/** Where nobody is asked about it now, to which of them it belongs: what a node hung at comes behind the others. */
const withoutAsking = (turn: Turn, { restsUntil }: Lacked, txid: string, { lacked, unasked }: NotHad) => {
  if (performance.now() < restsUntil) return lacked;
  return isPutOff(turn, txid) ? unasked : undefined;
};

/** Those last at which a node hung. */
const promptFirst = ({ waiting }: Few, all: readonly ChainTransaction[]): readonly ChainTransaction[] => {
  const hangsOf = ({ txid }: ChainTransaction): number => waiting.get(txid)?.hangs ?? 0;
  return all.toSorted((one, other) => hangsOf(one) - hangsOf(other));
};

/**
 * When a payment was seen decides whether its quote still holds, and one node alone may list what its payer has sent to
 * nobody, or with a witness that no other node takes. So what waits was seen when as many have it as have to agree, or when
 * it came, where no node that is well refused it meanwhile. `raws`: of those the bytes as they can be sent again; `sinces`:
 * when they were seen.
 */
export const hadByEnough = async (
  turn: Turn,
  all: readonly ChainTransaction[],
  { mempool, ancestorsOf }: { readonly mempool: ReadonlySet<string>; readonly ancestorsOf: AskAncestors },
) => {
  const { few } = turn.untold;
  const [raws, sinces] = [new Map<string, string | null>(), new Map<string, Date>()];
  const [lacked, unasked] = [new Set<string>(), new Set<string>()];
  if (turn.chain.agree <= 1) return { raws, sinces, lacked, unasked };
  const [now, needed] = [timeOf(turn).getTime(), neededOf(turn)];
  forgetOld(few, now);
  for (const transaction of promptFirst(few, all)) {
    const { txid } = transaction;
    const its = few.waiting.get(txid) ?? beginLacked(now);
    its.givenAt = now;
    const among = withoutAsking(turn, its, txid, { lacked, unasked });
    if (among) {
      among.add(txid);
      continue;
    }
    const had = await timed(turn, its, () => hadBy(turn, transaction, { needed, now, its, ancestorsOf }));
    if (had.isEnough) {
      raws.set(txid, had.raw);
      sinces.set(txid, seenSince(turn, txid, its, now));
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
