import type { ChainNode, ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';
import { givenUpAlone } from '../rows/alone.ts';
import { paymentsOf } from '../rows/payments.ts';
import { rivalsSince } from '../rows/waiting-rivals.ts';
import { ancestorsOf, dependencesOf } from './ancestors.ts';
import { isDust, keyOf, type Match, matchKey } from './matches.ts';
import type { Found, Senders } from './record.ts';
import { sendersOf } from './senders.ts';
import { NobodyAsked, putOff, SendersAwaited } from './untold.ts';

const rawOf = async (node: ChainNode, { raw, txid }: ChainTransaction): Promise<string | null> =>
  raw ? raw() : ((await node.raw(txid)) ?? null);

/** Payments of which nothing is told any more that names where they come from: that was told when they were seen. */
const toldAmong = async ({ pool, chain }: Turn, matches: readonly Match[]): Promise<ReadonlySet<string>> => {
  const txids = new Set(matches.map(({ transaction }) => transaction.txid));
  const known = await paymentsOf(pool, chain.coin, [...txids]);
  return new Set(
    known.filter(({ state, isDust: dust }) => !dust && state !== 'dropped' && state !== 'replaced').map(keyOf),
  );
};

type Answer = Omit<Found, 'match'>;

/** Of each its senders, if they have to be known; `since` it waited for what it takes the place of to be told. */
type Ask = (transaction: ChainTransaction, isToldOf: boolean, since: Date | undefined) => Promise<Answer | undefined>;

/** One transaction may pay many of ours: what is asked of it is asked once. */
const foundBy = async (turn: Turn, matches: readonly Match[], ask: Ask): Promise<Found[]> => {
  const told = await toldAmong(turn, matches);
  const txids = [...new Set(matches.map(({ transaction }) => transaction.txid))];
  const since = await rivalsSince(turn.pool, turn.chain.coin, txids);
  const all: Found[] = [];
  for (const those of Map.groupBy(matches, ({ transaction }) => transaction.txid).values()) {
    const isToldOf = those.some((match) => !isDust(turn.chain, match) && !told.has(matchKey(match)));
    const [first] = those;
    const answer = first && (await ask(first.transaction, isToldOf, since.get(first.transaction.txid)));
    if (answer) all.push(...those.map((match) => ({ match, ...answer })));
  }
  return all;
};

export const foundInBlock = (turn: Turn, matches: readonly Match[], blockHash: string): Promise<Found[]> =>
  foundBy(turn, matches, async (transaction, isToldOf, since) => {
    return {
      senders: isToldOf ? await sendersOf(turn, transaction, blockHash) : [],
      replaceable: transaction.replaceable,
      raw: await rawOf(turn.node, transaction),
      dependences: dependencesOf([transaction]),
      ...(since && { firstSeen: since }),
    };
  });

/** What it leans on has left the mempool since that was listed, and takes it along: what is told of both is found anew. */
class AncestorLeft extends Error {
  override readonly name = 'AncestorLeft';
}

/** Whoever replaces an ancestor ends the payment too, and by BIP-125 an ancestor's word makes it replaceable. */
const waitingOf = async (
  { node }: Turn,
  transaction: ChainTransaction,
  mempool: ReadonlySet<string>,
): Promise<Omit<Answer, 'senders'>> => {
  const waiting = async (txids: readonly string[]) => {
    const wanted = txids.filter((txid) => mempool.has(txid));
    const there = await node.transactions(wanted);
    if (there.length < wanted.length) throw new AncestorLeft(`${there.length} of ${wanted.length} are left`);
    return there;
  };
  const ancestors = await ancestorsOf(transaction, waiting);
  return {
    replaceable: [transaction, ...ancestors].some(({ replaceable }) => replaceable),
    raw: await rawOf(node, transaction),
    dependences: dependencesOf([transaction, ...ancestors]),
  };
};

/** Without what too few nodes have for it to come back; what another node shows by the same name may be right. */
const withoutGivenUp = async ({ pool, chain }: Turn, matches: readonly Match[]): Promise<readonly Match[]> => {
  if (chain.agree <= 1 || matches.length === 0) return matches;
  const txids = matches.map(({ transaction }) => transaction.txid);
  const givenUp = new Set((await givenUpAlone(pool, chain.coin, [...new Set(txids)])).map(keyOf));
  return matches.filter((match) => !givenUp.has(matchKey(match)));
};

/** Then nobody is asked any more where payments come from: each may take nodes some seconds, and a turn has other things to do. */
const LONGEST_MS = 3_000;

const sendersBy = async (until: number, turn: Turn, transaction: ChainTransaction): Promise<Senders> => {
  if (performance.now() >= until) throw putOff(turn, transaction);
  return sendersOf(turn, transaction);
};

/**
 * What is to be told of later, once a node says what it comes from, is not found yet: its id is in `awaited`, behind those
 * that nobody was asked about.
 */
export const foundInMempool = async (turn: Turn, matches: readonly Match[], mempool: ReadonlySet<string>) => {
  const [unasked, inVain] = [new Set<string>(), new Set<string>()];
  const among = (error: unknown): Set<string> => (error instanceof NobodyAsked ? unasked : inVain);
  const coming = await withoutGivenUp(turn, matches);
  const until = performance.now() + LONGEST_MS;
  const found = await foundBy(turn, coming, async (transaction, isToldOf, waited) => {
    try {
      const senders = isToldOf ? await sendersBy(until, turn, transaction) : [];
      const since = turn.untold.get(transaction.txid)?.since ?? waited;
      const firstSeen = since !== undefined && { firstSeen: new Date(since) };
      return { senders, ...firstSeen, ...(await waitingOf(turn, transaction, mempool)) };
    } catch (error) {
      if (!(error instanceof SendersAwaited || error instanceof AncestorLeft)) throw error;
      among(error).add(transaction.txid);
      return undefined;
    }
  });
  return { found, awaited: new Set([...unasked, ...inVain]) };
};
