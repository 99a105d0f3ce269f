import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf, type WatchParts } from '../parts.ts';
import { markFound, paymentsOfLog } from '../rows/of-log.ts';
import { tellFirst } from '../rows/outbox.ts';
import { dropPayments, type Payment } from '../rows/payments.ts';
import { keptHash, lockTip, type Tip } from '../rows/tip.ts';
import { dropped } from '../signals.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { takeOut } from './take-out.ts';
import { outcomeOf } from './taken.ts';

type Settled = Readonly<Record<'found' | 'gone' | 'moved' | 'open', readonly Payment[]>>;

type Where = keyof Settled;

type Followed = { readonly tip: Tip; readonly isFollowed: boolean };

const ofWaiting = async (turn: Turn, { txid }: Payment, mempool: ReadonlySet<string>): Promise<Where> => {
  if (mempool.has(txid)) return 'found';
  const outcome = await outcomeOf(turn, txid, null);
  if (outcome === 'open') return 'open';
  return outcome === 'taken' ? 'found' : 'gone';
};

/** What was told of a block that no branch is known to reach yet waits for one: whatever is applied at its height says so. */
const ofConfirmed = async (turn: Turn, tip: Tip, { blockHash, blockHeight }: Payment): Promise<Where> => {
  const height = blockHeight ?? 0;
  if (height > tip.height) return 'open';
  const hash = (await keptHash(turn.pool, turn.chain.coin, height)) ?? (await hashBelowHead(turn, height));
  return hash === blockHash ? 'found' : 'moved';
};

const whereIs = (turn: Turn, tip: Tip, payment: Payment, mempool: ReadonlySet<string>): Promise<Where> => {
  if (payment.state === 'waiting') return ofWaiting(turn, payment, mempool);
  if (payment.state === 'confirmed') return ofConfirmed(turn, tip, payment);
  // It came into a block that was applied, or was given up, by what was read since.
  return Promise.resolve('found');
};

const idsOf = (payments: readonly Payment[]): readonly number[] => payments.map(({ id }) => id);

/** Before whatever took its place: until that was told one coin would count twice. */
const giveUp = async (turn: Turn, tip: Tip, { found = [], gone = [], moved = [] }: Partial<Settled>): Promise<void> => {
  const { pool, chain } = turn;
  const now = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await markFound(db, idsOf([...found, ...gone]));
    await takeOut(db, chain.coin, moved, now);
    for (const payment of await dropPayments(db, idsOf(gone))) await tellFirst(db, chain.coin, [dropped(payment, now)]);
  });
};

const settle = async (turn: Turn, tip: Tip, mempool: ReadonlySet<string>): Promise<'open' | 'settled' | 'over'> => {
  const those = await paymentsOfLog(turn.pool, turn.chain.coin);
  if (those.length === 0) return 'over';
  const where = new Map<Payment, Where>();
  for (const payment of those) where.set(payment, await whereIs(turn, tip, payment, mempool));
  const settled = Object.groupBy(those, (payment) => where.get(payment) ?? 'open');
  await giveUp(turn, tip, settled);
  const isOpen = ({ state }: Payment): boolean => state !== 'confirmed';
  return settled.moved || (settled.open ?? []).some(isOpen) ? 'open' : 'settled';
};

/**
 * Payments that the log alone knew: as nobody kept their bytes, what no node has any more is given up at once, and counts
 * again where it comes back.
 */
export const createSettleTold = ({ pool, chain: { coin } }: Pick<WatchParts, 'pool' | 'chain'>) => {
  let stands: Awaited<ReturnType<typeof settle>> = 'open';
  return {
    /** At a node that was followed to where it stands. */
    settle: async (turn: Turn, { tip, isFollowed }: Followed, mempool: ReadonlySet<string>): Promise<void> => {
      if (isFollowed && stands !== 'over') stands = await settle(turn, tip, mempool);
    },
    /** Once each was looked for, as far as the chain reaches: nothing is told beside what it took the place of. */
    mayTell: async (): Promise<boolean> => stands !== 'open' || (await paymentsOfLog(pool, coin)).length === 0,
  };
};
