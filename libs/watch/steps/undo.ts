import { isOfNode, spentBy, unless } from '#chains';
import { inTransaction } from '#platform/postgres';
import { SaidByOne, type Turn, timeOf } from '../parts.ts';
import { type Dependence, dependOn, outpointsOf } from '../rows/inputs.ts';
import { doubtAgain } from '../rows/judged.ts';
import { unappliedOfLog } from '../rows/of-log.ts';
import { paymentsAbove, paymentsIn } from '../rows/payments.ts';
import { forgetBlocksAbove, type KeptBlock, keptAbove, moveTip, type Tip } from '../rows/tip.ts';
import { ancestorsOf, dependencesOf, parentsOf, type Spender } from './ancestors.ts';
import { checkBorneOut } from './borne-out.ts';
import { forkBelow } from './fork.ts';
import { takeOut } from './take-out.ts';
import { recordTakenUp, stayingBy, type TakenUp, takeUp } from './take-up.ts';
import { shownTimeOf } from './time-of-block.ts';

type Ancestor = KeptBlock | TakenUp;

/** Back along the branch that was applied, to the last block that the node's best branch has too, where others bear it out. */
const commonAncestor = async (turn: Turn, tip: Tip, from: number): Promise<Ancestor> => {
  const { shared, parts } = await forkBelow(turn, from);
  if (!shared) return takeUp(turn, tip, from);
  if (!parts)
    throw new SaidByOne(`${turn.node.name} says now that it has block ${shared.height}, and now that it has not`);
  await checkBorneOut(turn, parts.height);
  return shared;
};

/** Deeper, one gives up to name who takes the place of an ancestor: the payment is dropped in the end. */
const MOST_BLOCKS = 100;

/** The node that is read may never have had it, and another may; undefined where none gives it. */
const deadBlock = async (turn: Turn, hash: string): Promise<readonly Spender[] | undefined> => {
  const known = turn.recent.get(hash) ?? (await unless(isOfNode, turn.node.block(hash)))?.transactions;
  if (known) return known;
  for (const other of turn.others) {
    const block = await turn.silent.ask(other, (node) => node.block(hash));
    if (block) return block.transactions;
  }
  return undefined;
};

/** What is in blocks that were given up; undefined where nobody shows one of them, and no other is asked for then. */
const deadAbove = async (turn: Turn, height: number): Promise<ReadonlyMap<string, Spender> | undefined> => {
  const dead = new Map<string, Spender>();
  for (const hash of await keptAbove(turn.pool, turn.chain.coin, height, MOST_BLOCKS)) {
    const block = await deadBlock(turn, hash);
    if (!block) return undefined;
    for (const transaction of block) dead.set(transaction.txid, transaction);
  }
  return dead;
};

/** What was mined before a payment, or with it, is unconfirmed again: the payment leans on it, or comes after it. */
const leanAgain = async (turn: Turn, { height }: Ancestor): Promise<ReadonlyMap<string, readonly Dependence[]>> => {
  const { pool, chain } = turn;
  const { coin } = chain;
  const payments = [...(await paymentsAbove(pool, coin, height)), ...(await paymentsIn(pool, coin, 'waiting'))];
  const txids = payments.map(({ txid }) => txid);
  const leaning = new Map<string, readonly Dependence[]>();
  if (payments.length === 0) return leaning;
  const dead = await deadAbove(turn, height);
  // Of what nobody shows, all that waits may come.
  if (!dead) return new Map(txids.map((txid) => [txid, [] as const]));
  const unsettled = {
    has: (txid: string) => dead.has(txid),
    read: async (txids: readonly string[]) => txids.flatMap((txid) => dead.get(txid) ?? []),
  };
  // Of an account of Ethereum one transaction comes after the other.
  const accounts = new Set(
    coin === 'ETH' ? [...dead.values()].flatMap((each) => parentsOf({ inputs: spentBy(each) })) : [],
  );
  for (const [txid, inputs] of await outpointsOf(pool, coin, txids)) {
    const { those: ancestors } = await ancestorsOf({ inputs }, unsettled);
    const comesAfter = parentsOf({ inputs }).some((account) => accounts.has(account));
    if (ancestors.length > 0 || comesAfter) leaning.set(txid, dependencesOf(ancestors));
  }
  return leaning;
};

/** Takes back the blocks that the chain gave up; what they had confirmed is told to be so no more. */
export const undoBranch = async (turn: Turn, tip: Tip, from: number): Promise<Tip> => {
  const { pool, chain, logger } = turn;
  const { coin } = chain;
  const ancestor = await commonAncestor(turn, tip, from);
  const isTakenUp = 'rescan' in ancestor;
  const staying = isTakenUp ? await stayingBy(turn, ancestor) : new Set<string | null>();
  const time = await shownTimeOf(turn.node, ancestor.height);
  const leaning = await leanAgain(turn, ancestor);
  const now = timeOf(turn);
  const lost = await inTransaction(pool, async (db) => {
    await moveTip(db, coin, tip.hash, { ...ancestor, time });
    const unapplied = await unappliedOfLog(db, coin);
    await forgetBlocksAbove(db, coin, ancestor.height);
    await doubtAgain(db, coin, [...leaning.keys()], now);
    const above = await paymentsAbove(db, coin, ancestor.height);
    for (const [txid, dependences] of leaning) await dependOn(db, coin, txid, dependences);
    if (isTakenUp) await recordTakenUp(db, coin, ancestor);
    const lost = above.filter(({ id, blockHash }) => !staying.has(blockHash) && !unapplied.has(id));
    return takeOut(db, coin, lost, now);
  });
  const depth = tip.height - ancestor.height;
  logger.warn({ alert: 'chain_reorganised', chain: coin, depth, payments: lost }, 'a chain gave up blocks');
  const { hash, height } = ancestor;
  return { hash, height, auditedHeight: Math.min(tip.auditedHeight, ancestor.height) };
};
