import type { ChainNode } from '#chains';
import { inTransaction } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import { wellNodes } from '../nodes/well.ts';
import { type Turn, timeOf } from '../parts.ts';
import { type Alone, aloneOnes, bearOut, forgetDenied, markDenied } from '../rows/alone.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { DROP_AFTER_MS, drop } from './drop.ts';
import type { Sending, Taken } from './give.ts';
import { sendingOf } from './leaning-on.ts';
import { offering } from './offers.ts';
import { createUnbroken, LAPSES_MS } from './refusals.ts';
import { fromThese, shownBy, shownWaitingBy } from './witnesses.ts';

/** Longer than a payment takes from one node to the next. */
const EVERY_MS = 15_000;
/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** All that one transaction pays of ours. */
type Those = readonly Alone[];

type Asked = {
  readonly turn: Turn;
  readonly tip: Tip;
  readonly mempool: ReadonlySet<string>;
  /** What was refused before was not refused all the while. */
  readonly unbroken: Date;
};

type Answer = 'has it' | 'has another' | 'has neither';

/** What a node says of each of them. */
type Says = (payment: Alone) => Answer;

const NEITHER: Says = () => 'has neither';

const saidBy = async (node: ChainNode, txid: string, isListed: boolean): Promise<Says> => {
  const shows = await (isListed ? shownBy(node, txid) : shownWaitingBy(node, txid));
  return shows ? (payment) => (shows(payment) ? 'has it' : 'has another') : NEITHER;
};

/** What it has not got it is sent: one that merely missed it takes it then. */
const saidOnceSent = async (node: ChainNode, txid: string, isTaken: Taken): Promise<Says | undefined> => {
  if (isTaken !== true) return isTaken === false ? NEITHER : undefined;
  if (!node.saysOf) return () => 'has it';
  // Where a name does not prove the bytes these may be of another one, which it has.
  const taken = await shownWaitingBy(node, txid);
  return (payment) => (taken?.(payment) ? 'has it' : 'has neither');
};

const idsOf = (those: Those): readonly number[] => those.map(({ id }) => id);

/** For so long fewer refuse it than did before. */
const isLapsed = ({ deniedAt }: Alone, now: number): boolean =>
  deniedAt !== null && now - deniedAt.getTime() >= LAPSES_MS;

const isWaiting = ({ state }: Alone): boolean => state === 'waiting';

/** What comes of one payment by what was said of it. */
type Outcome = 'borne out' | 'contradicted' | 'denied' | 'had' | 'open';

/** As many as have to agree, and more than say otherwise, leave no doubt; who does not answer neither has nor refuses it. */
const outcomeOf = ({ agree, nodes }: WatchedChain, answers: readonly Answer[]): Outcome => {
  const counted = (wanted: Answer): number => answers.filter((answer) => answer === wanted).length;
  const [having, contradicting] = [counted('has it'), counted('has another')];
  if (having >= agree && having > contradicting) return 'borne out';
  if (contradicting >= agree && contradicting > having) return 'contradicted';
  if (having >= agree || nodes.length - having < agree) return 'had';
  return answers.length - having >= agree ? 'denied' : 'open';
};

const askOf = async ({ turn, mempool }: Asked, txid: string, those: Those): Promise<Map<Outcome, Those>> => {
  const { pool, chain, looks, failing, silent } = turn;
  const dependences = await dependencesIn(pool, chain.coin, [txid]);
  const asked = wellNodes(looks, failing);
  const had = await Promise.all(
    asked.map((node) => silent.ask(node, (each) => saidBy(each, txid, node === turn.node && mempool.has(txid)))),
  );
  const sending = had.includes(NEITHER) ? await sendingOf(turn, txid, dependences) : null;
  const offers = offering(turn, txid);
  const send = async (node: ChainNode, what: Sending): Promise<Says | undefined> =>
    saidOnceSent(node, txid, await offers.give(node, what));
  const said = await Promise.all(
    asked.map((node, nth) =>
      sending && had[nth] === NEITHER ? silent.ask(node, (each) => send(each, sending)) : had[nth],
    ),
  );
  offers.end();
  const says = said.filter((each) => each !== undefined);
  const told = fromThese(txid, dependences, those);
  return Map.groupBy(told, (payment) =>
    outcomeOf(
      chain,
      says.map((each) => each(payment)),
    ),
  );
};

/** What others show otherwise they do not merely lack: that is given up at once, and what is refused after two hours. */
const giveUp = async ({ turn, tip, unbroken }: Asked, contradicted: Those, denied: Those): Promise<void> => {
  const { pool, chain, dropAfterMs = DROP_AFTER_MS } = turn;
  if (contradicted.length + denied.length === 0) return;
  const now = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    const since = await markDenied(db, idsOf([...contradicted, ...denied]), now, unbroken);
    const isOver = ({ id }: Alone): boolean => now.getTime() - (since.get(id) ?? now).getTime() >= dropAfterMs;
    await drop(db, chain.coin, idsOf([...contradicted, ...denied.filter(isOver)]), now);
  });
};

/**
 * What one node shows may be made up, as without any signature, and block a deposit for as long as that node keeps it. So of
 * each that waits the others are asked until as many had it as have to agree; what as many refuse for two hours meanwhile is
 * given up, and what they show otherwise at once; it is seen in a mempool again once as many have it. In a block it counts as
 * ever. Answers with what is to be looked at again.
 */
export const createAlone = () => {
  const asked = new Map<string, number>();
  const unbroken = createUnbroken();

  /** True where it is to be looked at again. */
  const settle = async (asking: Asked, txid: string, those: Those, now: number): Promise<boolean> => {
    const { pool } = asking.turn;
    const outcomes = await askOf(asking, txid, those);
    const of = (outcome: Outcome): Those => outcomes.get(outcome) ?? [];
    await bearOut(pool, idsOf(of('borne out')));
    await giveUp(asking, of('contradicted'), of('denied'));
    await forgetDenied(pool, idsOf([...of('had'), ...of('open').filter((each) => isLapsed(each, now))]));
    return !of('borne out').every(isWaiting);
  };

  /** Whoever was asked about longest ago first. */
  const dueIn = (all: ReadonlyMap<string, Those>, mempool: ReadonlySet<string>, now: number) => {
    for (const txid of asked.keys()) if (!all.has(txid)) asked.delete(txid);
    const lastOf = (txid: string, [first]: Those): number => asked.get(txid) ?? first?.seenAt.getTime() ?? 0;
    return [...all]
      .filter(([txid, those]) => mempool.has(txid) || those.some(isWaiting))
      .map(([txid, those]) => ({ txid, those, last: lastOf(txid, those) }))
      .filter(({ last }) => now - last >= EVERY_MS)
      .toSorted((one, other) => one.last - other.last);
  };

  return async (turn: Turn, tip: Tip, mempool: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
    const { pool, chain, stopping } = turn;
    const again = new Set<string>();
    const alone = chain.agree > 1 ? await aloneOnes(pool, chain.coin) : [];
    const until = performance.now() + LONGEST_MS;
    const now = timeOf(turn).getTime();
    const asking = { turn, tip, mempool, unbroken: unbroken(now) };
    const due = dueIn(
      Map.groupBy(alone, ({ txid }) => txid),
      mempool,
      now,
    );
    for (const { txid, those } of due) {
      if (stopping.aborted || performance.now() >= until) break;
      asked.set(txid, now);
      if (await settle(asking, txid, those, now)) again.add(txid);
    }
    return again;
  };
};
