import { type ChainNode, isOfNode, NodeUnreachable, NodeUnreadable, unless } from '#chains';
import { withinTime } from '#platform/pause';
import { areBlocksAgreed } from '../chain.ts';
import { wellNodes } from '../nodes/well.ts';
import { askedFirst, type Shown, type ShownBlocks, type Turn, timeOf } from '../parts.ts';
import type { Conflict } from '../rows/inputs.ts';
import { markShown } from '../rows/marks.ts';
import type { Payment } from '../rows/payments.ts';
import { contradictionIn } from './check-gains.ts';
import { endedIn } from './ended-in.ts';
import { isSent, keyOf, type Match, matchesIn, matchKey } from './matches.ts';
import { noteRefusal, refusesIt } from './refused-blocks.ts';
import { paysSo } from './witnesses.ts';

export const createShownBlocks = (): ShownBlocks => ({
  known: new Map(),
  asked: new Map(),
  refused: new Map(),
  spendingBy: new Map(),
  own: new Map(),
  toldOf: new Set(),
});

const REMEMBERED = 500;

/** A node that hangs has no word in this turn; its answer counts once it is there. */
const PATIENCE_MS = 3_000;

/** Then the rest of the turn has its own, and what is left is asked of with the next one. */
const LONGEST_MS = 3_000;

/** What lacks a payment is asked once more then: it may have been taken from its block since. */
const ANEW_MS = 15_000;

/** As nodes are compared by what they show. */
export const spelled = (keys: Iterable<string>): string => JSON.stringify([...keys].toSorted());

const keyFor = ({ name }: ChainNode, hash: string): string => `${name} ${hash}`;

/** What the node that is read showed, as its block was taken from it. */
export const noteShown = (turn: Turn, hash: string, matches: readonly Match[], ended: readonly Conflict[]): Shown => {
  const { known } = turn.shown;
  const ends = new Map(ended.map(({ txid, by }) => [txid, by]));
  const found = { keys: new Set(matches.map(matchKey)), ends, at: timeOf(turn).getTime() };
  known.set(keyFor(turn.node, hash), found);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  return found;
};

/** As it was asked last, or gave the block itself. */
export const knownOf = ({ shown }: Turn, node: ChainNode, hash: string): Shown | undefined =>
  shown.known.get(keyFor(node, hash));

/** One whose calls say another sum than its state has no word. */
const read = async (turn: Turn, hash: string): Promise<Shown | undefined> => {
  const { pool, chain, node } = turn;
  const block = await node.block(hash);
  if (!block) return undefined;
  const matches = await matchesIn(pool, chain, block.transactions);
  const contradiction = await contradictionIn(pool, chain, block, matches);
  if (contradiction !== undefined) throw new NodeUnreadable(contradiction);
  return noteShown(turn, hash, matches, await endedIn(pool, chain, block.transactions, matches));
};

const questionTo = (turn: Turn, node: ChainNode, hash: string) => {
  const { asked } = turn.shown;
  const open = asked.get(node);
  if (open) return open;
  const question = { hash, answer: read(askedFirst(turn, node), hash).finally(() => asked.delete(node)) };
  asked.set(node, question);
  return question;
};

/** Of an old block it may have no longer the state of then: it is asked of others all the same. */
export const isRefusal = (error: unknown): boolean => isOfNode(error) && !(error instanceof NodeUnreachable);

/** Undefined where it has not got the block, refuses it, does not answer, or is still asked of another one. */
const ask = async (turn: Turn, node: ChainNode, hash: string): Promise<Shown | undefined> => {
  if (turn.silent.has(node) || turn.reticent.has(node) || refusesIt(turn, node, hash)) return undefined;
  const question = questionTo(turn, node, hash);
  if (question.hash !== hash) return undefined;
  return withinTime(question.answer, PATIENCE_MS).catch((error: unknown) => {
    if (isRefusal(error)) noteRefusal(turn, node, hash, error);
    else turn.reticent.add(node);
    return undefined;
  });
};

/** What a node shows of a block, which is asked anew where it did not show all that is looked for when it was asked last. */
export const shownIn = async (
  turn: Turn,
  node: ChainNode,
  hash: string,
  { isAll, isLate }: { readonly isAll: (shown: Shown) => boolean; readonly isLate: boolean },
): Promise<Shown | undefined> => {
  const known = knownOf(turn, node, hash);
  const isNew = known !== undefined && timeOf(turn).getTime() - known.at < ANEW_MS;
  if (isLate || isNew || (known && isAll(known))) return known;
  return (await ask(turn, node, hash)) ?? known;
};

/** That it came off in this block, where its transaction says all of it by itself: the node may no longer tell the rest. */
const cameOffAt = async (turn: Turn, node: ChainNode, hash: string, payment: Payment): Promise<boolean> => {
  const { landed } = node;
  if (!landed || !isSent(payment)) return false;
  const said = await turn.silent.ask(node, (each) =>
    unless(
      isOfNode,
      landed(payment.txid).then((there) => there === hash && paysSo(each, payment.txid, [payment])),
    ),
  );
  return said === true;
};

/**
 * Those of these payments that as many nodes show in their block as have to agree, and more than give it without: one alone
 * could name the hash that all have, and show in the block whatever it likes. One that has not got it has no word. Once it
 * was so it is asked no more; what waits, and what is never told, is passed on.
 */
export const createShowing = (turn: Turn) => {
  const { pool, chain, looks, failing } = turn;
  const until = performance.now() + LONGEST_MS;

  const isOpen = ({ state, blockHash, shownIn: known, isDust }: Payment): boolean =>
    state === 'mined' && areBlocksAgreed(chain) && !isDust && known !== blockHash;

  const isShown = async (
    hash: string,
    payment: Payment,
    answers: readonly { readonly node: ChainNode; readonly shown: Shown | undefined }[],
  ): Promise<boolean> => {
    const all = answers.flatMap(({ shown }) => shown ?? []);
    const showing = all.filter(({ keys }) => keys.has(keyOf(payment))).length;
    if (showing >= chain.agree) return 2 * showing > all.length;
    const wordless = answers.filter(({ shown }) => shown === undefined);
    const cameOff = await Promise.all(wordless.map(({ node }) => cameOffAt(turn, node, hash, payment)));
    const more = showing + cameOff.filter(Boolean).length;
    return more >= chain.agree && more > all.length - showing;
  };

  const shownByMost = async (hash: string, payments: readonly Payment[]): Promise<readonly Payment[]> => {
    const isLate = performance.now() >= until;
    const isAll = ({ keys }: Shown): boolean => payments.every((each) => keys.has(keyOf(each)));
    const answers = await Promise.all(
      wellNodes(looks, failing).map(async (node) => ({
        node,
        shown: await shownIn(turn, node, hash, { isAll, isLate }),
      })),
    );
    const shown: Payment[] = [];
    for (const payment of payments) if (await isShown(hash, payment, answers)) shown.push(payment);
    await markShown(
      pool,
      shown.map(({ id }) => id),
      hash,
    );
    return shown;
  };

  return async (all: readonly Payment[]): Promise<readonly Payment[]> => {
    const shown = all.filter((payment) => !isOpen(payment));
    for (const [hash, payments] of Map.groupBy(all.filter(isOpen), ({ blockHash }) => blockHash ?? ''))
      shown.push(...(await shownByMost(hash, payments)));
    return shown;
  };
};

export type Showing = ReturnType<typeof createShowing>;
