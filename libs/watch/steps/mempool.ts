import type { BlockTip } from '#chains';
import type { Turn } from '../parts.ts';
import { keptHash, type Tip } from '../rows/tip.ts';
import { createShared } from './bounded-reads.ts';
import { rests } from './few.ts';
import { type ListElsewhere, listedSince } from './listed-since.ts';
import { type Reading, readSome } from './read-some.ts';
import type { Rivalry } from './rivalry.ts';
import { forgetGone, stillContested } from './rivals.ts';
import { forgetInVain } from './untold.ts';

/** Each may be 400 kB, twice that as a text: all of them are held until they are looked at. */
const AT_ONCE = 25;

/** Then the rest of the turn has its own, and what is left is looked at with the next one. */
const LONGEST_MS = 3_000;

/** What leans on something that waits, and may take nodes long, is asked about behind all else, for so long at least. */
const LEANING_MS = 1_500;

/** Longer than what comes as ever takes: others are asked meanwhile what they list of it. */
const MUCH_MS = 1_000;

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
  /** Of those about which nodes were asked: none of them is looked at first, though enough list it. */
  readonly asked: ReadonlySet<string>;
  readonly tookLong: boolean;
  /** How often what is new waited for a block to be applied that the node had. */
  readonly waits: number;
};

const isOfToday = async ({ pool, node, chain }: Turn, tip: Tip, { of, on }: MempoolMemory): Promise<boolean> =>
  of === node.name && (on.hash === tip.hash || (await keptHash(pool, chain.coin, on.height)) === on.hash);

/** A node that is behind shows what a block has ended already that was applied, however long it stays there. */
const isBehind = async ({ pool, chain }: Turn, tip: Tip, { hash, height }: BlockTip): Promise<boolean> =>
  hash !== tip.hash && (await keptHash(pool, chain.coin, height)) === hash;

type Some = Readonly<Record<'given' | 'awaited' | 'unasked', ReadonlySet<string>>>;

type Progress = {
  readonly looked: Set<string>;
  readonly putOff: Set<string>;
  readonly asked: Set<string>;
  readonly ungiven: Set<string>;
  readonly mayWait: boolean;
  readonly stood: boolean;
};

const notePutOff = (putOff: Set<string>, asked: readonly string[], { given, awaited }: Omit<Some, 'unasked'>): void => {
  for (const txid of asked) putOff.delete(txid);
  // One that takes all the time there is would come first again, and keep the others from being asked about.
  for (const txid of [...asked.filter((each) => !given.has(each)), ...awaited]) putOff.add(txid);
};

const note = (
  { looked, putOff, asked: before, ungiven }: Progress,
  asked: readonly string[],
  some: Some & { readonly read: readonly string[] },
): void => {
  notePutOff(putOff, asked, some);
  for (const txid of asked) if (!some.given.has(txid)) ungiven.add(txid);
  for (const txid of asked) if (!some.unasked.has(txid)) before.add(txid);
  for (const txid of some.read) looked.add(txid);
};

const NONE = { first: [], fresh: [], before: [] };

/** `first`: what as many list as have to agree. No crowd that one alone lists, and others refuse, is asked about before. */
type ToRead = Readonly<Record<'first' | 'fresh' | 'before', readonly string[]>>;

/** As much as the turn has time for. */
const readAll = async (
  reading: Reading,
  { first, fresh, before }: ToRead,
  progress: Progress,
): Promise<Pick<MempoolNews, 'stands' | 'isVain'>> => {
  const { mayWait, stood } = progress;
  let until = performance.now() + LONGEST_MS;
  const [leaning, wasPutOff] = [new Set<string>(), new Set(progress.putOff)];
  let [stands, given] = [stood, 0];
  const mayGoOn = (longest: number): boolean =>
    (stands || !mayWait) && !reading.turn.stopping.aborted && performance.now() < longest;
  const readThrough = async (txids: readonly string[], mayLean: boolean, longest: number): Promise<void> => {
    for (let from = 0; from < txids.length && mayGoOn(longest); from += AT_ONCE) {
      const asked = txids.slice(from, from + AT_ONCE);
      const some = await readSome(reading, asked, { mayWait, mayLean });
      stands &&= some.stands;
      given += some.given.size;
      note(progress, asked, some);
      for (const txid of some.leaning) leaning.add(txid);
    }
  };
  const readLeaning = async (txids: readonly string[], longest: number): Promise<void> => {
    const those = Object.groupBy(txids, (txid) => (wasPutOff.has(txid) ? 'before' : 'fresh'));
    // What leans on something, and was put off, is kept waiting by nothing that comes all the time.
    const last = [...(those.before ?? []), ...(those.fresh ?? [])].filter((txid) => leaning.has(txid));
    notePutOff(progress.putOff, last, { given: leaning, awaited: new Set(last) });
    await readThrough(last, true, longest);
  };
  await readThrough(first, false, until);
  const from = performance.now();
  await readLeaning(first, from + LEANING_MS);
  // What leans on nothing has no less time for that.
  until += performance.now() - from;
  await readThrough([...fresh, ...before], false, until);
  await readLeaning([...fresh, ...before], Math.max(until, performance.now() + LEANING_MS));
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
  { rivalry, listElsewhere }: { readonly rivalry: Rivalry; readonly listElsewhere: ListElsewhere },
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
  const open = new Set([...[...mempool].filter(isFresh), ...putOff]);
  const awake = [...open].filter((txid) => !rests(turn, txid));
  const isMuch = awake.length > (memory?.tookLong ? 0 : AT_ONCE);
  await listElsewhere(turn, { tip, mempool, open, isMuch });
  const asked = new Set([...(ofToday ? memory.asked : [])].filter((txid) => putOff.has(txid)));
  const toRead = Object.groupBy(awake, (txid) => {
    if (turn.chain.agree > 1 && !asked.has(txid) && listedSince(turn, txid)) return 'first';
    return putOff.has(txid) ? 'before' : 'fresh';
  });
  const looked = new Set([...mempool].filter((txid) => known.has(txid)));
  const reading = { turn, tip, mempool, rivalOfMost, given: createShared() };
  const [ungiven, from] = [new Set<string>(), performance.now()];
  const progress = { looked, putOff, asked, ungiven, mayWait, stood: head.hash === tip.hash };
  const { stands, isVain } = await readAll(reading, { ...NONE, ...toRead }, progress);
  const tookLong = performance.now() - from >= MUCH_MS;
  const next = { of: node.name, on: tip, looked, putOff, asked, tookLong, waits: stands || behind ? 0 : waits + 1 };
  return { mempool, ungiven, memory: next, stands, isVain };
};
