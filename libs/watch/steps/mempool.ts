import type { BlockTip } from '#chains';
import { inTransaction } from '#platform/postgres';
import { type Turn, timeOf } from '../parts.ts';
import { conflictsWith } from '../rows/inputs.ts';
import { doubtAgain } from '../rows/judged.ts';
import { keptHash, lockTip, type Tip } from '../rows/tip.ts';
import { withoutSpent } from './already-spent.ts';
import { foundInMempool } from './ask.ts';
import { rests } from './few.ts';
import { certainWaiting } from './proven.ts';
import { recordFound } from './record.ts';
import { recordConflicts } from './record-conflicts.ts';
import type { RivalOfMost, Rivalry } from './rivalry.ts';
import { contestedAmong, forgetGone, newlyContested, rememberContested, stillContested } from './rivals.ts';
import { tellUntold } from './senders.ts';
import { stillReplaced } from './still-replaced.ts';
import { tellUnreadable } from './tell-unreadable.ts';
import { forgetInVain } from './untold.ts';

/** Each may be 400 kB, twice that as a text: all of them are held until they are looked at. */
const AT_ONCE = 25;

/** Then the rest of the turn has its own, and what is left is looked at with the next one. */
const LONGEST_MS = 3_000;

/** Then what a node says that is ahead is read as it is: a chain that is held may be so for days. */
const MOST_WAITS = 3;

/**
 * What of a node's mempool was looked at, so that each is looked at once. Another node, another memory; and where the
 * branch was given up on which it was looked at, all may mean something else.
 */
export type MempoolMemory = {
  readonly of: string;
  readonly on: Tip;
  readonly looked: ReadonlySet<string>;
  /**
   * Asked for, and not given, or nobody tells yet where it comes from, which may take a node long to say of each: the
   * longest ago first. They come after all that was not asked for.
   */
  readonly putOff: ReadonlySet<string>;
  /** How often what is new waited for a block to be applied that the node had. */
  readonly waits: number;
};

const isOfToday = async ({ pool, node, chain }: Turn, tip: Tip, { of, on }: MempoolMemory): Promise<boolean> =>
  of === node.name && (on.hash === tip.hash || (await keptHash(pool, chain.coin, on.height)) === on.hash);

/** What is read before the block is applied that took its parents leans on nothing that is known here. */
const standsAt = async ({ node }: Turn, { hash }: Tip): Promise<boolean> => (await node.tip()).hash === hash;

/** A node that is behind shows what a block has ended already that was applied, however long it stays there. */
const isBehind = async ({ pool, chain }: Turn, tip: Tip, { hash, height }: BlockTip): Promise<boolean> =>
  hash !== tip.hash && (await keptHash(pool, chain.coin, height)) === hash;

type Reading = {
  readonly turn: Turn;
  readonly tip: Tip;
  readonly mempool: ReadonlySet<string>;
  readonly rivalOfMost: RivalOfMost;
};

/** Of what has left meanwhile nothing is told: it is looked at when it is back. */
const readSome = async ({ turn, tip, mempool, rivalOfMost }: Reading, txids: readonly string[], mayWait: boolean) => {
  const { pool, node, chain } = turn;
  const { transactions, matches } = await certainWaiting(turn, await node.transactions(txids));
  const replaced = await stillReplaced(turn, rivalOfMost, matches);
  const open = matches.filter(({ transaction }) => !replaced.has(transaction.txid));
  const { found: all, awaited } = await foundInMempool(turn, open, mempool);
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
  if (!stands && mayWait) return { stands, given, awaited, read: [] };
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
  return { stands, given, awaited, read };
};

type Some = { readonly given: ReadonlySet<string>; readonly awaited: ReadonlySet<string> };

type Progress = {
  readonly looked: Set<string>;
  readonly putOff: Set<string>;
  readonly ungiven: Set<string>;
  readonly mayWait: boolean;
  readonly stood: boolean;
};

const notePutOff = (putOff: Set<string>, asked: readonly string[], { given, awaited }: Some): void => {
  for (const txid of asked) putOff.delete(txid);
  // One that takes all the time there is would come first again, and keep the others from being asked about.
  for (const txid of [...asked.filter((each) => !given.has(each)), ...awaited]) putOff.add(txid);
};

/** As much as the turn has time for. */
const readAll = async (
  reading: Reading,
  fresh: readonly string[],
  { looked, putOff, ungiven, mayWait, stood }: Progress,
): Promise<Pick<MempoolNews, 'stands' | 'isVain'>> => {
  const until = performance.now() + LONGEST_MS;
  const isOver = (): boolean => reading.turn.stopping.aborted || performance.now() >= until;
  let [stands, given] = [stood, 0];
  for (let from = 0; from < fresh.length && (stands || !mayWait) && !isOver(); from += AT_ONCE) {
    const asked = fresh.slice(from, from + AT_ONCE);
    const some = await readSome(reading, asked, mayWait);
    stands &&= some.stands;
    given += some.given.size;
    notePutOff(putOff, asked, some);
    for (const txid of asked) if (!some.given.has(txid)) ungiven.add(txid);
    for (const txid of some.read) looked.add(txid);
  }
  return { stands, isVain: given === 0 && performance.now() >= until };
};

export type MempoolNews = {
  readonly mempool: ReadonlySet<string>;
  /** Of these the node gives nothing, though it lists them. */
  readonly ungiven: ReadonlySet<string>;
  readonly memory: MempoolMemory;
  /** Of a node that stood where the chain was applied, all the while. */
  readonly stands: boolean;
  /** It took all of its time, and gave nothing of what it lists. */
  readonly isVain: boolean;
};

/**
 * Looks at what is new in the mempool: payments, and what ends them. Answers with what is in it. What a node says that has
 * a block more waits until that is applied, and of one that has a block less until it has that. `head`: where it stood.
 */
export const readMempool = async (
  turn: Turn,
  { tip, head }: { readonly tip: Tip; readonly head: BlockTip },
  memory: MempoolMemory | undefined,
  rivalry: Rivalry,
): Promise<MempoolNews> => {
  const { node } = turn;
  const [waits, behind] = [memory?.waits ?? 0, await isBehind(turn, tip, head)];
  const mayWait = behind || waits < MOST_WAITS;
  const mempool = new Set(await node.mempool());
  forgetGone(turn, mempool);
  forgetInVain(turn, mempool);
  const rivalOfMost = rivalry.begin(turn);
  const ofToday = memory && (await isOfToday(turn, tip, memory));
  const known = ofToday ? memory.looked : new Set<string>();
  const contested = ofToday ? await stillContested(turn, rivalry, rivalOfMost) : known;
  const putOff = new Set([...(ofToday ? memory.putOff : [])].filter((txid) => mempool.has(txid)));
  const isFresh = (txid: string): boolean => !(known.has(txid) || contested.has(txid) || putOff.has(txid));
  const fresh = [...[...mempool].filter(isFresh), ...putOff].filter((txid) => !rests(turn, txid));
  const looked = new Set([...mempool].filter((txid) => known.has(txid)));
  const reading = { turn, tip, mempool, rivalOfMost };
  const ungiven = new Set<string>();
  const progress = { looked, putOff, ungiven, mayWait, stood: head.hash === tip.hash };
  const { stands, isVain } = await readAll(reading, fresh, progress);
  const next = { of: node.name, on: tip, looked, putOff, waits: stands || behind ? 0 : waits + 1 };
  return { mempool, ungiven, memory: next, stands, isVain };
};
