import type { ChainNode, ChainTransaction } from '#chains';
import { type Turn, timeOf } from '../parts.ts';
import { givenUpAlone } from '../rows/alone.ts';
import { type Payment, paymentsOf } from '../rows/payments.ts';
import { keepUntold } from '../rows/untold.ts';
import { waitingSince } from '../rows/waiting-since.ts';
import { dependencesOf } from './ancestors.ts';
import { tellAwaited } from './awaited.ts';
import type { Shared } from './bounded-reads.ts';
import { cameBefore, keepGiven } from './few.ts';
import { hadByEnough } from './had-by-enough.ts';
import {
  type Ancestors,
  AncestorsAwaited,
  type AskAncestors,
  ancestorsIn,
  areAwaited,
  leansOnAny,
} from './leaning-on.ts';
import { isDust, keyOf, type Match, matchKey } from './matches.ts';
import { certainMined } from './proven.ts';
import type { Found } from './record.ts';
import { sendersOf } from './senders.ts';
import { beginAsking, endAsking, NobodyAsked, SendersAwaited } from './untold.ts';

const rawOf = async (node: ChainNode, { raw, txid }: ChainTransaction): Promise<string | null> =>
  raw ? raw() : ((await node.raw(txid)) ?? null);

/** Of which nothing is told any more that names where they come from: that was told when they were seen. */
const toldAmong = async ({ pool, chain }: Turn, matches: readonly Match[]): Promise<ReadonlySet<string>> => {
  const txids = new Set(matches.map(({ transaction }) => transaction.txid));
  const known = await paymentsOf(pool, chain.coin, [...txids]);
  const isTold = ({ isDust: dust, state }: Payment): boolean => !dust && state !== 'dropped' && state !== 'replaced';
  return new Set(known.filter(isTold).map(keyOf));
};

/** One transaction may pay many of ours: what is asked of it is asked once. */
type Paying = {
  readonly transaction: ChainTransaction;
  readonly matches: readonly Match[];
  /** With its senders, which have to be known then. */
  readonly isToldOf: boolean;
  /** Nothing is told of it, and it is no place of a deposit: what it spends itself is all that has to be known of it. */
  readonly isDust: boolean;
};

const payingAmong = async (turn: Turn, all: readonly Match[]): Promise<readonly Paying[]> => {
  const told = await toldAmong(turn, all);
  return [...Map.groupBy(all, ({ transaction }) => transaction.txid).values()].flatMap((matches): readonly Paying[] => {
    const isToldOf = matches.some((match) => !isDust(turn.chain, match) && !told.has(matchKey(match)));
    const areDust = matches.every((match) => isDust(turn.chain, match));
    return matches.slice(0, 1).map(({ transaction }) => ({ transaction, matches, isToldOf, isDust: areDust }));
  });
};

type Answer = Omit<Found, 'match' | 'firstSeen'>;

type Ask = (paying: Paying) => Promise<Answer | undefined>;

const foundBy = async (turn: Turn, all: readonly Paying[], ask: Ask): Promise<Found[]> => {
  const { pool, chain } = turn;
  const txids = all.map(({ transaction }) => transaction.txid);
  const since = await waitingSince(pool, chain.coin, txids);
  const found: Found[] = [];
  for (const paying of all) {
    const answer = await ask(paying);
    const { txid } = paying.transaction;
    const firstSeen = since.get(txid) ?? cameBefore(turn, txid);
    if (answer) found.push(...paying.matches.map((match) => ({ match, ...answer, ...(firstSeen && { firstSeen }) })));
  }
  return found;
};

export const foundInBlock = async (turn: Turn, matches: readonly Match[], blockHash: string): Promise<Found[]> => {
  const asking = beginAsking(blockHash);
  const paying = await payingAmong(turn, await certainMined(turn, turn.node, matches));
  const found = await foundBy(turn, paying, async ({ transaction, isToldOf }) => ({
    senders: isToldOf ? await sendersOf(turn, transaction, asking) : [],
    replaceable: transaction.replaceable,
    raw: await rawOf(turn.node, transaction),
    dependences: dependencesOf([transaction]),
  }));
  endAsking(turn, asking);
  return found;
};

const ALONE: Ancestors = { those: [], ended: 'whole' };

/** Whoever replaces an ancestor ends the payment too, and by BIP-125 an ancestor's word makes it replaceable. */
const waitingOf = async (
  { node }: Turn,
  { transaction, isDust: asItIs }: Paying,
  ancestorsOf: AskAncestors,
): Promise<Omit<Answer, 'senders'>> => {
  const ancestors = asItIs ? ALONE : await ancestorsOf(transaction);
  if (areAwaited(ancestors)) throw new AncestorsAwaited(`what ${transaction.txid} leans on is not all given yet`);
  const { those, ended } = ancestors;
  return {
    replaceable: ended === 'too many' || [transaction, ...those].some(({ replaceable }) => replaceable),
    raw: await rawOf(node, transaction),
    dependences: dependencesOf([transaction, ...those]),
  };
};

/** Without what too few nodes have for it to come back; what another node shows by the same name may be right. */
const withoutGivenUp = async ({ pool, chain }: Turn, matches: readonly Match[]): Promise<readonly Match[]> => {
  if (chain.agree <= 1 || matches.length === 0) return matches;
  const txids = matches.map(({ transaction }) => transaction.txid);
  const givenUp = new Set((await givenUpAlone(pool, chain.coin, [...new Set(txids)])).map(keyOf));
  return matches.filter((match) => !givenUp.has(matchKey(match)));
};

/**
 * Then nobody is asked any more where payments come from, and on what they lean: each may take nodes some seconds, and a
 * turn has other things to do.
 */
const LONGEST_MS = 3_000;

type At = { readonly mempool: ReadonlySet<string>; readonly given: Shared; readonly mayLean: boolean };

/** What leans on nothing that waits is told without asking for that: it waits for none of what does. */
const splitByLeaning = (all: readonly Paying[], { mempool, mayLean }: At) => {
  const isLater = ({ transaction, isDust: asItIs }: Paying): boolean =>
    !(mayLean || asItIs) && leansOnAny(transaction, mempool);
  return { now: all.filter((paying) => !isLater(paying)), later: all.filter(isLater) };
};

const untoldAmong = (all: readonly Paying[]): readonly ChainTransaction[] =>
  all.flatMap(({ transaction, isToldOf }) => (isToldOf ? [transaction] : []));

/**
 * What is to be told of later, once a node says what it comes from, or as many have it as have to agree, is not found yet:
 * its id is in `awaited`, behind those that nobody was asked about; in `leaning`, too, what leans on something, where that may
 * not be asked for yet.
 */
export const foundInMempool = async (turn: Turn, matches: readonly Match[], at: At) => {
  const { mempool, given } = at;
  const { now: all, later } = splitByLeaning(await payingAmong(turn, await withoutGivenUp(turn, matches)), at);
  const ancestorsOf = ancestorsIn(turn, { listed: mempool, shared: given });
  keepGiven(turn, untoldAmong(later));
  const had = await hadByEnough(turn, untoldAmong(all), { mempool, ancestorsOf });
  const { raws, sinces, lacked: inVain, unasked } = had;
  const notGiven = new Set<string>();
  const putOff = (error: SendersAwaited | AncestorsAwaited, { txid }: ChainTransaction): void => {
    (error instanceof NobodyAsked ? unasked : inVain).add(txid);
    if (error instanceof AncestorsAwaited) notGiven.add(txid);
  };
  const coming = all.filter(({ transaction: { txid } }) => !(inVain.has(txid) || unasked.has(txid)));
  // Of more that have to agree nobody was asked yet. That they list it is kept nowhere but in mind: it may be taken back.
  const seen = turn.chain.agree <= 1 ? [...coming, ...later] : coming;
  const untold = untoldAmong(seen).map(({ txid }) => txid);
  // Whatever comes between: where it is in a block before it is told, it was seen now all the same.
  const now = timeOf(turn).getTime();
  for (const [since, txids] of Map.groupBy(
    untold,
    (txid) => (sinces.get(txid) ?? cameBefore(turn, txid))?.getTime() ?? now,
  ))
    await keepUntold(turn.pool, turn.chain.coin, txids, new Date(since));
  const [asking, until] = [beginAsking(), performance.now() + LONGEST_MS];
  const found = await foundBy(turn, coming, async (paying) => {
    const { transaction, isToldOf } = paying;
    try {
      if (performance.now() >= until) throw new NobodyAsked(transaction);
      const senders = isToldOf ? await sendersOf(turn, transaction, asking) : [];
      const waiting = await waitingOf(turn, paying, ancestorsOf);
      return { senders, ...waiting, raw: raws.get(transaction.txid) ?? waiting.raw };
    } catch (error) {
      if (!(error instanceof SendersAwaited || error instanceof AncestorsAwaited)) throw error;
      putOff(error, transaction);
      return undefined;
    }
  });
  endAsking(turn, asking);
  tellAwaited(turn, { mempool, awaited: notGiven, found: new Set(found.map(({ match }) => match.transaction.txid)) });
  const leaning = later.map(({ transaction }) => transaction.txid);
  const nobodyAsked = new Set([...unasked, ...leaning]);
  return { found, awaited: new Set([...nobodyAsked, ...inVain]), unasked: nobodyAsked, leaning };
};
