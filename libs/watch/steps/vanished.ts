import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { doubtAgain } from '../rows/judged.ts';
import { markRefused, type Payment, paymentsIn, rawOf } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { DROP_AFTER_MS, drop } from './drop.ts';

const SUBMIT_EVERY_MS = 15_000;
/** Then blocks have their turn, and the rest comes with the next one. */
const LONGEST_MS = 3_000;

/** When a transaction that vanished was last submitted. */
export type Submissions = Map<string, number>;

/** One that does not answer refuses nothing. */
const isRefusedByAll = async ({ chain, silent }: Turn, raw: string | null): Promise<boolean> => {
  if (raw === null) return true;
  const answers = await Promise.all(chain.nodes.map((node) => silent.ask(node, ({ submit }) => submit(raw))));
  return answers.every((answer) => answer?.isIn === false);
};

const idsOf = (payments: readonly Payment[]): readonly number[] => payments.map(({ id }) => id);

/** All that one transaction pays of ours goes or stays with it. */
const resubmit = async (turn: Turn, tip: Tip, txid: string, payments: readonly Payment[]): Promise<void> => {
  const { pool, chain, dropAfterMs = DROP_AFTER_MS } = turn;
  const isRefused = await isRefusedByAll(turn, await rawOf(pool, chain.coin, txid));
  const now = timeOf(turn);
  const isOver = ({ refusedSince }: Payment): boolean => now.getTime() - (refusedSince ?? now).getTime() >= dropAfterMs;
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await markRefused(db, idsOf(payments), isRefused, now);
    // That it waits was what let it count. It is judged anew once, and not each time that it is refused again.
    if (isRefused && payments.some(({ refusedSince }) => refusedSince === null))
      await doubtAgain(db, chain.coin, [txid], now);
    if (isRefused) await drop(db, chain.coin, idsOf(payments.filter(isOver)), now);
  });
};

/** What is neither in the mempool nor in a block, and whose coins nobody is known to have spent, is submitted again. */
export const resubmitVanished = async (
  turn: Turn,
  tip: Tip,
  mempool: ReadonlySet<string>,
  submissions: Submissions,
): Promise<void> => {
  const waiting = await paymentsIn(turn.pool, turn.chain.coin, 'waiting');
  const back = waiting.filter(({ refusedSince, txid }) => refusedSince && mempool.has(txid));
  if (back.length > 0) await markRefused(turn.pool, idsOf(back), false, timeOf(turn));
  const vanished = Map.groupBy(
    waiting.filter(({ txid }) => !mempool.has(txid)),
    ({ txid }) => txid,
  );
  for (const txid of submissions.keys()) if (!vanished.has(txid)) submissions.delete(txid);
  const lastOf = (txid: string): number => submissions.get(txid) ?? 0;
  const until = performance.now() + LONGEST_MS;
  for (const [txid, payments] of [...vanished].toSorted(([one], [other]) => lastOf(one) - lastOf(other))) {
    const now = timeOf(turn).getTime();
    if (turn.stopping.aborted || performance.now() >= until || now - lastOf(txid) < SUBMIT_EVERY_MS) return;
    submissions.set(txid, now);
    await resubmit(turn, tip, txid, payments);
  }
};
