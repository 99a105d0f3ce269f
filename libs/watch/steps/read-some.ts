import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { conflictsWith } from '../rows/inputs.ts';
import { doubtAgain } from '../rows/judged.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { withoutSpent } from './already-spent.ts';
import { foundInMempool } from './ask.ts';
import type { Shared } from './bounded-reads.ts';
import { certainWaiting } from './proven.ts';
import { recordFound } from './record.ts';
import { recordConflicts } from './record-conflicts.ts';
import type { RivalOfMost } from './rivalry.ts';
import { contestedAmong, newlyContested, rememberContested } from './rivals.ts';
import { tellUntold } from './senders.ts';
import { stillReplaced } from './still-replaced.ts';
import { tellUnreadable } from './tell-unreadable.ts';

/** What is read before the block is applied that took its parents leans on nothing that is known here. */
const standsAt = async ({ node }: Turn, { hash }: Tip): Promise<boolean> => (await node.tip()).hash === hash;

/** What waits at a node, as it is read in one turn. */
export type Reading = {
  readonly turn: Turn;
  readonly tip: Tip;
  readonly mempool: ReadonlySet<string>;
  readonly rivalOfMost: RivalOfMost;
  /** What that gave already of what payments lean on. */
  readonly given: Shared;
};

/** Of what has left meanwhile nothing is told: it is looked at when it is back. */
export const readSome = async (
  { turn, tip, mempool, rivalOfMost, given: shared }: Reading,
  txids: readonly string[],
  { mayWait, mayLean }: { readonly mayWait: boolean; readonly mayLean: boolean },
) => {
  const { pool, node, chain } = turn;
  const { transactions, matches } = await certainWaiting(turn, await node.transactions(txids));
  const replaced = await stillReplaced(turn, rivalOfMost, matches);
  const open = matches.filter(({ transaction }) => !replaced.has(transaction.txid));
  const {
    found: all,
    awaited,
    unasked,
    leaning,
  } = await foundInMempool(turn, open, { mempool, mayLean, given: shared });
  const conflicts = await conflictsWith(pool, chain.coin, transactions);
  const { contested, ending } = await contestedAmong(turn, rivalOfMost, conflicts);
  // What takes a payment's place counts once that is told: until then one coin would count twice.
  const held = new Set(contested.map(({ by }) => by));
  const { found, spent } = await withoutSpent(
    turn,
    all.filter(({ match: { transaction } }) => !held.has(transaction.txid)),
  );
  const stands = await standsAt(turn, tip);
  const given = new Set(transactions.map(({ txid }) => txid));
  if (!stands && mayWait) return { stands, given, awaited, unasked, leaning, read: [] };
  tellUnreadable(turn, transactions);
  const at = timeOf(turn);
  if (found.length > 0 || conflicts.length > 0)
    await inTransaction(pool, async (db) => {
      await lockTip(db, chain.coin, tip.hash);
      await recordConflicts(db, chain, ending, at);
      await doubtAgain(db, chain.coin, newlyContested(turn, contested), at);
      await recordFound(db, { chain, found, where: undefined, at });
    });
  tellUntold(turn, found);
  const looked = transactions.map(({ txid }) => txid);
  rememberContested(turn, looked, contested);
  const read = looked.filter((txid) => ![awaited, spent, held, replaced].some((those) => those.has(txid)));
  return { stands, given, awaited, unasked, leaning, read };
};
