import type { ChainNode } from '#chains';
import { inTransaction } from '#platform/postgres';
import { askedFirst, ChainHeld, type Turn, timeOf } from '../parts.ts';
import { type Payment, paymentsOfBlock } from '../rows/payments.ts';
import { moveAudit } from '../rows/rescans.ts';
import { keptHash, lockBranch, type Tip } from '../rows/tip.ts';
import { foundInBlock } from './ask.ts';
import { withoutGivenLater } from './given-later.ts';
import { contestBy } from './hidden-rivals.ts';
import { type Applied, asWitness, type Beside, checkAgreed, checkNothing, readingBy } from './readings.ts';
import { recordFound } from './record.ts';
import { seenAt } from './seen-at.ts';
import { tellUntold } from './senders.ts';
import { checkShownAlike, isSoDeep } from './shown-alike.ts';
import { takeOut } from './take-out.ts';

/** What a second reading of a block came to: so many payments were missing, so many were never there. */
export type Difference = { readonly missing: number; readonly surplus: number };

type Asked = Applied &
  Beside & {
    /** Something may be missing: that nothing is, others have to say too, where they contradict, or so that it is passed. */
    readonly isSuspect?: boolean;
    readonly isToPass?: boolean;
  };

/** Another reading may have taken one out meanwhile, and another block may have it by now. */
const stillAmong = (payments: readonly Payment[], there: readonly Payment[]): readonly Payment[] =>
  payments.filter((payment) => there.some(({ id }) => id === payment.id));

/** Reads a block that was applied long ago once more, and puts right what differs where enough nodes show it so. */
export const readAgain = async (turn: Turn, tip: Tip, asked: Asked): Promise<Difference | undefined> => {
  const { pool, chain } = turn;
  const { node, hash, height } = asked;
  const reading = await readingBy(turn, node, asked);
  if (!reading) return undefined;
  const { block, surplus } = reading;
  await contestBy(turn, tip, asked, reading.ended);
  const missing = await withoutGivenLater(turn, reading.missing, asked, block);
  if (missing.length === 0 && surplus.length === 0) {
    if (asked.isSuspect) await checkNothing(turn, reading, asked);
    if (asked.isToPass) await checkShownAlike(turn, reading, { ...asked, isDeep: isSoDeep(tip, asked) });
    return { missing: 0, surplus: 0 };
  }
  await checkAgreed(turn, reading, asked);
  const found = await foundInBlock(askedFirst(turn, node), missing, hash);
  const at = await seenAt(askedFirst(turn, node), block, height, found);
  const now = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockBranch(db, chain.coin, tip);
    await recordFound(db, { chain, found, where: { hash, height }, at });
    await takeOut(db, chain.coin, stillAmong(surplus, await paymentsOfBlock(db, chain.coin, height)), now);
  });
  tellUntold(turn, found);
  return { missing: missing.length, surplus: surplus.length };
};

const DEPTH = 6;
const AT_ONCE = 20;

export const tellDifference = (
  { chain, logger }: Turn,
  node: ChainNode,
  height: number,
  { missing, surplus }: Difference,
) =>
  logger.error(
    { alert: 'chain_healed', chain: chain.coin, node: node.name, height, missing, surplus },
    'a block held other payments than were taken from it: that is put right',
  );

/** The node that is read is no second witness: what it fails at is the turn's. */
const witnessed = (turn: Turn, tip: Tip, asked: Asked): Promise<Difference | undefined> => {
  const again = readAgain(turn, tip, asked);
  return asked.node === turn.node ? again : asWitness(turn, asked.node, again);
};

const headOf = ({ looks }: Turn, node: ChainNode) => looks.find((look) => look.node === node)?.head;

/** The node that is read is asked last, and only where no other is behind: that one gives it in a moment. */
const rereadBy = async (turn: Turn, tip: Tip, applied: Applied, well: readonly ChainNode[]) => {
  const { node, failing } = turn;
  const { height } = applied;
  // Of one that hangs not every block is asked.
  const others = well.filter((each) => !failing.has(each));
  const isBehind = others.some((each) => (headOf(turn, each)?.height ?? height) < height);
  const problems: string[] = [];
  for (const by of isBehind ? others : [...others, node]) {
    const { prunedBelow = 0 } = headOf(turn, by) ?? {};
    const isPruned = height < prunedBelow;
    const asked = { ...applied, node: by, others: [node, ...others], isToPass: true };
    const difference = isPruned ? undefined : await witnessed(turn, tip, asked);
    if (difference) return { difference, by };
    problems.push(isPruned ? `${by.name} keeps none below ${prunedBelow}` : `${by.name} does not give it`);
  }
  if (isBehind) return undefined;
  throw new ChainHeld(`block ${height} cannot be read a second time: ${problems.toSorted().join('; ')}`, true);
};

/** "An auditor re-reads blocks six deep, from a second node where there is one, and heals what differs, loudly." */
export const auditBlocks = async (turn: Turn, tip: Tip, others: readonly ChainNode[]): Promise<void> => {
  const { pool, chain } = turn;
  const last = Math.min(tip.height - DEPTH + 1, tip.auditedHeight + AT_ONCE);
  for (let height = tip.auditedHeight + 1; height <= last; height += 1) {
    const hash = await keptHash(pool, chain.coin, height);
    if (hash !== undefined) {
      const reread = await rereadBy(turn, tip, { hash, height }, others);
      if (!reread) return;
      const { difference, by } = reread;
      if (difference.missing + difference.surplus > 0) tellDifference(turn, by, height, difference);
    }
    await moveAudit(pool, chain.coin, tip.hash, height);
  }
};
