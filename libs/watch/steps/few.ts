import type { ChainTransaction } from '#chains';
import { createLeftOut, LEFT_OUT_MS } from '../nodes/left-out.ts';
import { type Few, type Lacked, type Turn, timeOf } from '../parts.ts';
import { listedSince } from './listed-since.ts';

/** What a node refuses it is sent again after so long, and then ever more seldom. */
const SEND_EVERY_MS = 15_000;
const SELDOM_MS = 3_600_000;

/** Longer than a payment takes from one node to the next. */
const LASTS_MS = 60_000;

/** As long as a node counts that is away. One that is well and has not got it for so long will not take it. */
const LATELY_MS = 300_000;

export const createFew = (): Few => ({
  ...{ waiting: new Map(), pending: new Set(), leftOut: createLeftOut(), hung: 0 },
  ...{ spent: { by: undefined, ms: 0 }, restsUntil: Number.NEGATIVE_INFINITY },
});

const isOld = ({ givenAt }: Lacked, now: number): boolean => now - givenAt >= LATELY_MS;

/** Of what was not given for so long others were not asked meanwhile: it is new when it comes back. */
export const forgetOld = ({ waiting }: Few, now: number): void => {
  for (const [txid, lacked] of waiting) if (isOld(lacked, now)) waiting.delete(txid);
};

/** That the node gives them is known also where nobody is asked about them now. */
export const keepGiven = (turn: Turn, those: readonly Pick<ChainTransaction, 'txid'>[]): void => {
  const now = timeOf(turn).getTime();
  for (const { txid } of those) {
    const lacked = turn.untold.few.waiting.get(txid);
    if (lacked && !isOld(lacked, now)) lacked.givenAt = now;
  }
};

export const beginLacked = (now: number): Lacked => ({
  ...{ since: now, givenAt: now, sentAt: Number.NEGATIVE_INFINITY },
  ...{ refusals: 0, isRefused: false, isToldOf: false, offered: new Map() },
  ...{ hangs: 0, restsUntil: Number.NEGATIVE_INFINITY },
});

export const isToSend = ({ sentAt, refusals }: Lacked, now: number): boolean =>
  now - sentAt >= Math.min(SEND_EVERY_MS * 2 ** refusals, SELDOM_MS);

/** All of those that wait rest while others of them have taken long. */
export const rests = ({ untold: { few } }: Turn, txid: string): boolean =>
  few.waiting.has(txid) && performance.now() < few.restsUntil;

/** A node that hung is asked nothing for half a minute: what it hangs at each time leaves ever more time to the others. */
export const noteHang = (lacked: Lacked): void => {
  lacked.hangs += 1;
  lacked.restsUntil = performance.now() + Math.min(LEFT_OUT_MS * 2 ** lacked.hangs, LATELY_MS);
};

/** What those that are well do: they have not got it, or did not take it either. `isSent`: all the way, to whoever answers. */
export type Without = { readonly isSent: boolean; readonly isLacked: boolean; readonly isRefused: boolean };

export const noteWithout = (lacked: Lacked, { isSent, isLacked, isRefused }: Without, now: number): void => {
  if (isSent) {
    lacked.sentAt = now;
    lacked.offered.clear();
    if (isRefused) lacked.refusals += 1;
  }
  lacked.isRefused ||= isRefused || (isLacked && now - lacked.since >= LATELY_MS);
};

const earlier = (one: Date, other: Date = one): Date => (other < one ? other : one);

/**
 * When one came that enough have now: no later for a node that was away or did not answer. What one that is well refused
 * its payer may have sent to nobody since, unless enough listed it.
 */
export const seenSince = (turn: Turn, txid: string, { since, isRefused }: Lacked, now: number): Date =>
  earlier(new Date(isRefused ? now : since), listedSince(turn, txid));

/** The same of one that comes in a block; undefined where it is seen in that. */
export const cameBefore = (turn: Turn, txid: string): Date | undefined => {
  const lacked = turn.untold.few.waiting.get(txid);
  const isKnown = lacked && !lacked.isRefused && !isOld(lacked, timeOf(turn).getTime());
  const listed = listedSince(turn, txid);
  return isKnown ? earlier(new Date(lacked.since), listed) : listed;
};

export const tellFew = (
  { chain, node, logger, untold: { few } }: Turn,
  mempool: ReadonlySet<string>,
  now: number,
): void => {
  const late = [...few.waiting].filter(
    ([txid, { since, isToldOf }]) => mempool.has(txid) && !isToldOf && now - since >= LASTS_MS,
  );
  for (const [, each] of late) each.isToldOf = true;
  const [[txid] = []] = late;
  if (txid === undefined) return;
  logger.error(
    { alert: 'chain_payment_alone', chain: chain.coin, node: node.name, transactions: late.length, txid },
    'for a minute the node that is read has listed what pays us, and fewer nodes take it than have to agree: it is not seen before',
  );
};
