import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { doubtAgain } from '../rows/judged.ts';
import { type Payment, paymentsIn } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { forgetRefused, markRefused, markTaken } from '../rows/vanished.ts';
import { DROP_AFTER_MS, drop } from './drop.ts';
import { sendingOf } from './leaning-on.ts';
import { createUnbroken, LAPSES_MS, type Unbroken } from './refusals.ts';
import { outcomeOf } from './taken.ts';

const SUBMIT_EVERY_MS = 15_000;
/** A node that was restarted, or that lost a parent of it, may have it again a moment later; a deposit falls back for good. */
const DOUBTED_AFTER_MS = 60_000;
/** Then blocks have their turn, and the rest comes with the next one. */
const LONGEST_MS = 3_000;

export type Submissions = {
  /** When a transaction that vanished was last submitted. */
  readonly last: Map<string, number>;
  readonly unbroken: Unbroken;
};

export const createSubmissions = (): Submissions => ({ last: new Map(), unbroken: createUnbroken() });

const idsOf = (payments: readonly Payment[]): readonly number[] => payments.map(({ id }) => id);

type Those = { readonly txid: string; readonly payments: readonly Payment[] };

const isLong = (since: Date | null | undefined, at: Date | null): boolean =>
  Boolean(since && at && at.getTime() - since.getTime() >= DOUBTED_AFTER_MS);

/** All that one transaction pays of ours goes or stays with it. */
const resubmit = async (turn: Turn, tip: Tip, { txid, payments }: Those, unbroken: Date): Promise<void> => {
  const { pool, chain, dropAfterMs = DROP_AFTER_MS } = turn;
  const dependences = await dependencesIn(pool, chain.coin, [txid]);
  const outcome = await outcomeOf(turn, txid, await sendingOf(turn, txid, dependences));
  const now = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    if (outcome === 'taken') return markTaken(db, idsOf(payments), now);
    // A lost answer, or a node that is away for a moment, has not taken it.
    if (outcome === 'open') return forgetRefused(db, idsOf(payments), new Date(now.getTime() - LAPSES_MS));
    const since = await markRefused(db, idsOf(payments), now, unbroken);
    const isOver = ({ id }: Payment): boolean => now.getTime() - (since.get(id) ?? now).getTime() >= dropAfterMs;
    // That it waits was what let it count. It is judged anew once, and not each time that it is refused again.
    const isDoubted = ({ id, refusedSince, refusedAt }: Payment): boolean =>
      isLong(since.get(id), now) && !isLong(refusedSince, refusedAt);
    if (payments.some(isDoubted)) await doubtAgain(db, chain.coin, [txid], now);
    await drop(db, chain.coin, idsOf(payments.filter(isOver)), now);
  });
};

/** What is neither in the mempool nor in a block, and whose coins nobody is known to have spent, is submitted again. */
export const resubmitVanished = async (
  turn: Turn,
  tip: Tip,
  mempool: ReadonlySet<string>,
  { last, unbroken }: Submissions,
): Promise<void> => {
  const from = unbroken(timeOf(turn).getTime());
  const waiting = await paymentsIn(turn.pool, turn.chain.coin, 'waiting');
  const back = waiting.filter(({ refusedSince, txid }) => refusedSince && mempool.has(txid));
  if (back.length > 0) await markTaken(turn.pool, idsOf(back), timeOf(turn));
  const vanished = Map.groupBy(
    waiting.filter(({ txid }) => !mempool.has(txid)),
    ({ txid }) => txid,
  );
  for (const txid of last.keys()) if (!vanished.has(txid)) last.delete(txid);
  const lastOf = (txid: string): number => last.get(txid) ?? 0;
  const until = performance.now() + LONGEST_MS;
  for (const [txid, payments] of [...vanished].toSorted(([one], [other]) => lastOf(one) - lastOf(other))) {
    const now = timeOf(turn).getTime();
    if (turn.stopping.aborted || performance.now() >= until || now - lastOf(txid) < SUBMIT_EVERY_MS) return;
    last.set(txid, now);
    await resubmit(turn, tip, { txid, payments }, from);
  }
};
