import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf, type WatchParts } from '../parts.ts';
import { markFound } from '../rows/of-log.ts';
import { takeBackReorged, tellFirst } from '../rows/outbox.ts';
import { dropPayments, type Payment, paymentsOfLog } from '../rows/payments.ts';
import { openRescan } from '../rows/rescans.ts';
import { keptHash, lockTip, type Tip } from '../rows/tip.ts';
import { dropped } from '../signals.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { takeOut } from './take-out.ts';
import { outcomeOf } from './taken.ts';
import { type Agreement, isWaitingAt, neededIn } from './witnesses.ts';

/** The rest of the turn has its own, and what is left is looked for with the next one. */
const LONGEST_MS = 3_000;
const AT_ONCE = 25;
const TELL_EVERY_MS = 300_000;

/** So long what is read again may show what waits nowhere. */
const RESCANNED_MS = 600_000;

/** What there is to wait for keeps nobody from being told. */
const REST_MS = 5_000;

/** `coming`: it waits at some node, or its block is above all that was applied. */
type Where = 'coming' | 'found' | 'gone' | 'moved' | 'open';

export type Followed = {
  readonly tip: Tip;
  readonly isFollowed: boolean;
  readonly mempool: ReadonlySet<string>;
  readonly agreement: Agreement;
};

type Looking = Followed & { readonly turn: Turn; readonly mayBeRead: boolean };

/** Fewer have it than have to agree, and fewer have not: it may be so for as long as it waits. */
const isAnywhere = async ({ others, silent }: Turn, txid: string): Promise<boolean> =>
  (await Promise.all(others.map((node) => silent.ask(node, (each) => isWaitingAt(each, txid))))).includes(true);

const ofWaiting = async ({ turn, mayBeRead }: Looking, { txid }: Payment): Promise<Where> => {
  if (mayBeRead) return 'open';
  const outcome = await outcomeOf(turn, txid, null);
  if (outcome === 'refused') return 'gone';
  return outcome === 'taken' || (await isAnywhere(turn, txid)) ? 'coming' : 'open';
};

/** Below what is kept no branch was applied here: as many say so as have to agree, or nobody. */
const branchHash = async ({ turn, agreement }: Looking, height: number): Promise<string | undefined> => {
  const kept = await keptHash(turn.pool, turn.chain.coin, height);
  if (kept !== undefined) return kept;
  const hash = await hashBelowHead(turn, height);
  return hash !== undefined && (await agreement(hash, height)) >= neededIn(turn) ? hash : undefined;
};

const ofConfirmed = async (looking: Looking, { blockHash, blockHeight }: Payment): Promise<Where> => {
  const height = blockHeight ?? 0;
  if (height > looking.tip.height) return 'coming';
  const hash = await branchHash(looking, height);
  if (hash === undefined) return 'open';
  return hash === blockHash ? 'found' : 'moved';
};

const whereIs = (looking: Looking, payment: Payment): Promise<Where> | Where => {
  const isListed = looking.mempool.has(payment.txid);
  if (payment.state === 'waiting') return isListed ? 'coming' : ofWaiting(looking, payment);
  if (payment.state === 'confirmed') return isListed ? 'moved' : ofConfirmed(looking, payment);
  // It came into a block that was applied, or was given up, by what was read since.
  return 'found';
};

/** One answer that is lost says nothing of the others. */
const lookFor = async (looking: Looking, some: readonly Payment[]): Promise<ReadonlyMap<Payment, Where>> => {
  const where = new Map<Payment, Where>();
  for (const payment of some)
    where.set(payment, await Promise.resolve(whereIs(looking, payment)).catch((): Where => 'open'));
  return where;
};

const idsOf = (payments: readonly Payment[] = []): readonly number[] => payments.map(({ id }) => id);

/** Before whatever took its place, since one coin would count twice until then; and behind that it is confirmed no more. */
const giveUp = async ({ turn, tip }: Looking, where: ReadonlyMap<Payment, Where>): Promise<void> => {
  const { pool, chain } = turn;
  const { found, gone, moved = [] } = Object.groupBy(where.keys(), (payment) => where.get(payment) ?? 'open');
  const now = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await markFound(db, [...idsOf(found), ...idsOf(gone)]);
    await takeOut(db, chain.coin, moved, now);
    for (const payment of await dropPayments(db, idsOf(gone)))
      await tellFirst(db, chain.coin, [...(await takeBackReorged(db, chain.coin, payment)), dropped(payment, now)]);
  });
};

const HOLDING: readonly (Where | undefined)[] = ['moved', 'open', undefined];

/**
 * Payments that the log alone knew: as nobody kept their bytes, what no node has any more is given up at once, and counts
 * again where it comes back.
 */
export const createSettleTold = ({ pool, chain: { coin } }: Pick<WatchParts, 'pool' | 'chain'>) => {
  const begun = performance.now();
  let stands: 'open' | 'settled' | 'over' = 'open';
  let [last, restsUntil, toldAt] = [0, begun, begun];

  const settle = async (looking: Looking, those: readonly Payment[]): Promise<boolean> => {
    const until = performance.now() + LONGEST_MS;
    const where = new Map<Payment, Where>();
    const ordered = those.toSorted((one, other) => Number(one.id <= last) - Number(other.id <= last));
    for (let from = 0; from < ordered.length && performance.now() < until; from += AT_ONCE) {
      if (looking.turn.stopping.aborted) break;
      const some = await lookFor(looking, ordered.slice(from, from + AT_ONCE));
      await giveUp(looking, some);
      for (const [payment, its] of some) where.set(payment, its);
    }
    const held = ordered.filter((payment) => HOLDING.includes(where.get(payment)));
    // A node that fails at one is asked about none behind it: with the next turn these come before that.
    last = held[0]?.id ?? 0;
    return held.length === 0;
  };

  const tellHeld = ({ logger }: Turn): void => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    logger.error(
      { alert: 'chain_told_later', chain: coin },
      'nothing is told of a chain: payments that the log alone knew are still looked for, and too few nodes answer',
    );
  };

  return {
    /** At a node that was followed to where it stands. */
    settle: async (turn: Turn, followed: Followed): Promise<void> => {
      if (!followed.isFollowed || stands === 'over' || performance.now() < restsUntil) return;
      const those = await paymentsOfLog(pool, coin);
      if (those.length === 0) {
        stands = 'over';
        return;
      }
      const mayBeRead = performance.now() - begun < RESCANNED_MS && (await openRescan(pool, coin)) !== undefined;
      const isSettled = await settle({ ...followed, turn, mayBeRead }, those);
      stands = isSettled ? 'settled' : 'open';
      if (isSettled) restsUntil = performance.now() + REST_MS;
      else tellHeld(turn);
    },
    /** Once each was looked for, as far as the chain reaches: nothing is told beside what it took the place of. */
    mayTell: async (): Promise<boolean> => stands !== 'open' || (await paymentsOfLog(pool, coin)).length === 0,
  };
};
