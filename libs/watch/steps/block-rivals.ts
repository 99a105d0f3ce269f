import type { ChainBlock } from '#chains';
import type { Queryable } from '#platform/postgres';
import { areBlocksAgreed } from '../chain.ts';
import { wellNodes } from '../nodes/well.ts';
import { type Turn, timeOf } from '../parts.ts';
import type { Conflict } from '../rows/inputs.ts';
import { doubtAgain } from '../rows/judged.ts';
import { paymentsOf } from '../rows/payments.ts';
import { keepRivals, openAmong } from '../rows/rivals.ts';
import type { KeptBlock } from '../rows/tip.ts';
import { drop } from './drop.ts';
import { endedIn } from './ended-in.ts';
import { type Decided, decidedByMost } from './ending.ts';
import { keyOf, type Match, matchKey } from './matches.ts';
import { recordConflicts } from './record-conflicts.ts';
import { noteShown } from './shown.ts';
import { agreementAmong, neededForGood } from './witnesses.ts';

export const txidsOf = (conflicts: readonly Conflict[]): readonly string[] => [
  ...new Set(conflicts.map(({ txid }) => txid)),
];

/** Whether a block ends what it seems to, as far as that is known. */
type Deciding = (conflict: Conflict) => 'ends' | 'ends not' | 'open';

const byMost =
  (decided: Decided): Deciding =>
  ({ txid, by }) => {
    if (!decided.has(txid)) return 'open';
    const found = decided.get(txid);
    if (found === undefined) return 'ends not';
    return found === by ? 'ends' : 'open';
  };

const haveTheBlock = async (turn: Turn, { hash, height }: KeptBlock): Promise<boolean> => {
  const { looks, failing, silent } = turn;
  return (await agreementAmong(() => wellNodes(looks, failing), silent)(hash, height)) >= neededForGood(turn);
};

/** Before it is applied: others are asked what they show, where its hash covers nothing, else whether they have it. */
export const decidingOn = async (
  turn: Turn,
  next: KeptBlock,
  { transactions }: ChainBlock,
  matches: readonly Match[],
): Promise<Deciding> => {
  const { pool, chain } = turn;
  const ended = await endedIn(pool, chain, transactions, matches);
  noteShown(turn, next.hash, matches, ended);
  if (chain.agree <= 1) return () => 'ends';
  // What another watcher finds beside this is ended once that is asked.
  if (ended.length === 0) return () => 'open';
  if (areBlocksAgreed(chain)) return byMost(await decidedByMost(turn, next.hash, ended));
  const isAgreed = await haveTheBlock(turn, next);
  return () => (isAgreed ? 'ends' : 'open');
};

/** It is told once as many nodes have the block, or show it, as have to agree, and never if the block is given up before. */
export const contest = async (db: Queryable, turn: Turn, block: KeptBlock, all: readonly Conflict[]): Promise<void> => {
  const { coin } = turn.chain;
  const conflicts = await openAmong(db, coin, all);
  if (conflicts.length === 0) return;
  await keepRivals(db, coin, block, conflicts);
  await doubtAgain(db, coin, txidsOf(conflicts), timeOf(turn));
};

/** What is mined and does not pay (`paid` does) is given up; what something else took the place of is ended for good. */
export const end = async (
  db: Queryable,
  turn: Turn,
  ending: readonly Conflict[],
  paid: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const { chain } = turn;
  const isFailure = ({ txid, by }: Conflict): boolean => txid === by;
  const others = ending.filter((each) => !isFailure(each));
  await recordConflicts(db, chain, others, timeOf(turn));
  const mined = await paymentsOf(db, chain.coin, txidsOf(ending.filter(isFailure)));
  const failed = mined.filter((payment) => !paid.has(keyOf(payment)));
  await drop(
    db,
    chain.coin,
    failed.map(({ id }) => id),
    timeOf(turn),
  );
};

/** Together with its block. */
export const endWith = async (
  db: Queryable,
  turn: Turn,
  { hash, height, ...block }: KeptBlock & { readonly matches: readonly Match[]; readonly ended: readonly Conflict[] },
  deciding: Deciding,
): Promise<void> => {
  const of = (wanted: ReturnType<Deciding>): readonly Conflict[] =>
    block.ended.filter((conflict) => deciding(conflict) === wanted);
  await end(db, turn, of('ends'), new Set(block.matches.map(matchKey)));
  await contest(db, turn, { hash, height }, of('open'));
};
