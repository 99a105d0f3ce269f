import type { ChainNode } from '#chains';
import type { Reading } from '../nodes/reading.ts';
import { type Turn, timeOf } from '../parts.ts';
import { paymentsOf } from '../rows/payments.ts';
import { keepUntold } from '../rows/untold.ts';
import type { Sending } from './give.ts';
import type { IsListed, Lacking } from './lacking.ts';
import { bytesBefore, waitingAncestors } from './leaning-on.ts';
import { offering } from './offers.ts';

/** Longer than a payment takes from one node to the next, and to be sent there. */
const LASTS_MS = 60_000;
const SUBMIT_EVERY_MS = 60_000;
/** With another node all that waits is read anew: no payer has that done over and over. */
const LEAVE_EVERY_MS = 600_000;
/** What is left is sent with the next look. */
const LONGEST_MS = 3_000;

type Unlisted = {
  submittedAt: number;
  isKept: boolean;
  isToldOf: boolean;
  /** Who was asked for it: the others come first. */
  readonly asked: Set<ChainNode>;
};

const beginUnlisted = (): Unlisted => ({
  ...{ submittedAt: Number.NEGATIVE_INFINITY, isKept: false, isToldOf: false, asked: new Set() },
});

/** What was not sent yet comes first. */
const longestAgo = (one: Unlisted, other: Unlisted): number =>
  one.submittedAt === other.submittedAt ? 0 : one.submittedAt - other.submittedAt;

type Listing = ReturnType<Lacking['listing']>;

const namesOf = (listing: Listing): readonly string[] => listing.map(({ node }) => node.name);

/** As one gives it that lists it, and what it leans on there that the node that is read does not list. */
const sendingAt = async (
  { silent }: Turn,
  { node, list, txid }: { readonly node: ChainNode; readonly list: ReadonlyMap<string, Date>; readonly txid: string },
): Promise<Sending | undefined> => {
  const [transaction] = (await silent.ask(node, ({ transactions }) => transactions([txid]))) ?? [];
  const raw = transaction && (transaction.raw?.() ?? (await silent.ask(node, (each) => each.raw(txid))));
  if (!transaction || raw === undefined) return undefined;
  const ancestors = await silent.ask(node, (each) => waitingAncestors(each, transaction, { listed: list }));
  return { raw, before: ancestors ? bytesBefore(ancestors) : [] };
};

const isTakenBy = async (turn: Turn, txid: string, sending: Sending): Promise<boolean> => {
  const offers = offering(turn, txid);
  const taken = await turn.silent.ask(turn.node, (node) => offers.give(node, sending));
  offers.end();
  return taken === true;
};

const toldAmong = async ({ pool, chain }: Turn, txids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await paymentsOf(pool, chain.coin, txids)).map(({ txid }) => txid));

/** Payments that others list, and the node that is read does not, until it does or a block tells of them. */
export const createUnlisted = (reading: Pick<Reading, 'leave'>, lacking: Lacking) => {
  const ours = new Map<string, Unlisted>();
  let leftAt = Number.NEGATIVE_INFINITY;

  /** By when as many list it as have to agree. */
  const agreedSince = ({ chain }: Turn, txid: string): Date | undefined =>
    lacking.listing(txid)[Math.max(1, chain.agree) - 1]?.since;

  const keep = async (turn: Turn): Promise<void> => {
    for (const [txid, unlisted] of ours) {
      const since = unlisted.isKept ? undefined : agreedSince(turn, txid);
      if (!since) continue;
      await keepUntold(turn.pool, turn.chain.coin, [txid], since);
      unlisted.isKept = true;
    }
  };

  /** As the first gives it of which it is taken: one node could spoil a witness, which no name covers. */
  const submitOne = async (turn: Turn, txid: string, { asked }: Unlisted, isOver: () => boolean): Promise<void> => {
    const listing = lacking.listing(txid);
    if (listing.every(({ node }) => asked.has(node))) asked.clear();
    for (const { node } of listing.filter((each) => !asked.has(each.node))) {
      if (isOver()) return;
      asked.add(node);
      const sending = await sendingAt(turn, { node, list: lacking.at(node), txid });
      if (sending && (await isTakenBy(turn, txid, sending))) return;
    }
  };

  /** A node that merely missed one takes it, and lists it from then on. */
  const submit = async (turn: Turn): Promise<void> => {
    const [now, until] = [timeOf(turn).getTime(), performance.now() + LONGEST_MS];
    const isOver = (): boolean => turn.stopping.aborted || performance.now() >= until;
    const due = [...ours].filter(([, { submittedAt }]) => now - submittedAt >= SUBMIT_EVERY_MS);
    // A node that is slow with what it made up would have that come first each time.
    for (const [txid, unlisted] of due.toSorted(([, one], [, other]) => longestAgo(one, other))) {
      if (isOver()) return;
      unlisted.submittedAt = now;
      await submitOne(turn, txid, unlisted, isOver);
    }
  };

  /** Whoever does not list it either is no better. Where one is believed alone, the one that is read is. */
  const leave = ({ chain }: Turn, listing: Listing, now: number): void => {
    if (chain.agree <= 1 || now - leftAt < LEAVE_EVERY_MS) return;
    leftAt = now;
    for (const node of chain.nodes) if (!listing.some((each) => each.node === node)) reading.leave(node);
  };

  const tell = (turn: Turn): void => {
    const { chain, node, logger } = turn;
    const now = timeOf(turn).getTime();
    const isOverdue = (txid: string): boolean => now - (agreedSince(turn, txid)?.getTime() ?? now) >= LASTS_MS;
    const overdue = [...ours].filter(([txid, { isToldOf }]) => !isToldOf && isOverdue(txid));
    for (const [, unlisted] of overdue) unlisted.isToldOf = true;
    const [[txid] = []] = overdue;
    if (txid === undefined) return;
    const listing = lacking.listing(txid);
    const what = { chain: chain.coin, node: node.name, nodes: namesOf(listing), transactions: overdue.length, txid };
    logger.error(
      { alert: 'chain_payment_unlisted', ...what },
      'for a minute as many nodes as have to agree have listed what pays us, and the one that is read does not',
    );
    leave(turn, listing, now);
  };

  return {
    has: (txid: string): boolean => ours.has(txid),
    /** Of what was told the node that is read is asked elsewhere. */
    add: async (turn: Turn, txids: readonly string[]): Promise<void> => {
      const told = await toldAmong(turn, txids);
      for (const txid of txids) if (!told.has(txid)) ours.set(txid, beginUnlisted());
    },
    look: async (turn: Turn, isListed: IsListed): Promise<void> => {
      const told = await toldAmong(turn, [...ours.keys()]);
      const isOver = (txid: string): boolean => told.has(txid) || isListed(txid) || lacking.listing(txid).length === 0;
      for (const txid of ours.keys()) if (isOver(txid)) ours.delete(txid);
      await keep(turn);
      await submit(turn);
      tell(turn);
    },
  };
};
