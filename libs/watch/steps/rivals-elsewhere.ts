import type { ChainNode } from '#chains';
import { inTransaction } from '#platform/postgres';
import { createLeftOut } from '../nodes/left-out.ts';
import { createSilent, type Silent } from '../nodes/silent.ts';
import { wellNodes } from '../nodes/well.ts';
import { type Turn, timeOf } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { judgedWaiting } from '../rows/judged.ts';
import { paymentsOf } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { keepSince } from '../rows/waiting-rivals.ts';
import { doubtOne } from './doubt-one.ts';
import { rivalryAmong } from './had-rivals.ts';
import { recordConflicts } from './record-conflicts.ts';
import { hadByAsMany } from './rivalry.ts';
import { areContested } from './rivals.ts';
import { neededForGood } from './witnesses.ts';

const EVERY_MS = 15_000;

/** A node tells of Ethereum's senders one after the other, and has three seconds for all of these. */
const AT_ONCE = 10;

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** What takes longer is not asked with each turn: blocks wait for it meanwhile. */
const MUCH_MS = 500;
const REST_MS = 5_000;

type Asking = {
  readonly turn: Turn;
  readonly tip: Tip;
  /** All that are asked, the node that is read among them. */
  readonly nodes: readonly ChainNode[];
  readonly silent: Silent;
  readonly ended: Set<string>;
};

type Dependences = Awaited<ReturnType<typeof dependencesIn>>;

const othersOf = ({ turn, nodes }: Asking): readonly ChainNode[] => nodes.filter((node) => node !== turn.node);

/** In one question for all of them. What two of them spend alike one may have in the place of the other. */
const mayHaveRivals = async (asking: Asking, dependences: Dependences): Promise<boolean> => {
  const spentBy = Map.groupBy(dependences, ({ outpoint }) => outpoint);
  if ([...spentBy.values()].some((those) => new Set(those.map(({ via }) => via)).size > 1)) return true;
  const own = new Set(dependences.flatMap(({ txid, via }) => [txid, via]));
  const outpoints = [...spentBy.keys()];
  const there = await Promise.all(
    othersOf(asking).map((node) => asking.silent.ask(node, ({ spenders }) => spenders(outpoints))),
  );
  return there.some((spenders = []) => spenders.some((each) => !own.has(each)));
};

/** What is had in the place of a payment: by as many as have to agree the same, or by one of those that are not read. */
type Had = { readonly byMost: string | undefined; readonly isElsewhere: boolean };

const hadInPlaceOf = async ({ turn, nodes, silent }: Asking, txid: string, dependences: Dependences): Promise<Had> => {
  const own = dependences.filter((each) => each.txid === txid);
  const had = await rivalryAmong(nodes, silent)(txid, [], own);
  return {
    byMost: hadByAsMany([], had, neededForGood(turn)),
    isElsewhere: nodes.some((node, nth) => node !== turn.node && (had[nth] ?? []).length > 0),
  };
};

/** What it pays itself was seen now, whenever the node that is read comes to it. */
const end = async ({ turn, tip, ended }: Asking, txid: string, by: string): Promise<void> => {
  const { pool, chain } = turn;
  const at = timeOf(turn);
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await keepSince(db, chain.coin, [by], at);
    await recordConflicts(db, chain, [{ txid, by, isByPegOut: false }], at);
  });
  ended.add(txid);
};

/**
 * The node that is read may keep what came first where others took what pays more, and lists nothing then that would end a
 * payment. So of what waits and was judged the others are asked again: what as many have as have to agree is told, and for
 * what fewer have the payment is judged anew, once for as long as one of them has something. Answers with what was ended,
 * and is to be looked at again.
 */
export const createRivalsElsewhere = () => {
  /** The one first that was asked of longest ago. */
  const asked = new Map<string, number>();
  const doubted = new Set<string>();
  const leftOut = createLeftOut();
  let notBefore = 0;

  const dueIn = (judged: ReadonlySet<string>, now: number): readonly string[] => {
    for (const txid of asked.keys()) if (!judged.has(txid)) asked.delete(txid);
    // Nodes were asked of each as it was judged.
    for (const txid of judged) if (!asked.has(txid)) asked.set(txid, now);
    return [...asked].flatMap(([txid, at]) => (now - at >= EVERY_MS ? [txid] : []));
  };

  const note = (txids: readonly string[], now: number): void => {
    for (const txid of txids) {
      asked.delete(txid);
      asked.set(txid, now);
    }
  };

  /** One that is being judged anew is not among those that were judged. */
  const forgetDoubts = async ({ pool, chain }: Turn): Promise<void> => {
    const there = await paymentsOf(pool, chain.coin, [...doubted]);
    const waiting = new Set(there.flatMap(({ txid, state }) => (state === 'waiting' ? [txid] : [])));
    for (const txid of doubted) if (!waiting.has(txid)) doubted.delete(txid);
  };

  const settle = async (asking: Asking, txid: string, { byMost, isElsewhere }: Had): Promise<void> => {
    if (byMost !== undefined) return end(asking, txid, byMost);
    if (!isElsewhere) return void doubted.delete(txid);
    // Of what the node that is read has too the mempool tells.
    if (doubted.has(txid) || (await areContested(asking.turn, [txid]))) return;
    await doubtOne(asking.turn, asking.tip, txid);
    doubted.add(txid);
  };

  const askOf = async (asking: Asking, txids: readonly string[], isOver: () => boolean): Promise<void> => {
    const { pool, chain } = asking.turn;
    const now = timeOf(asking.turn).getTime();
    const dependences = await dependencesIn(pool, chain.coin, txids);
    if (!(await mayHaveRivals(asking, dependences))) {
      note(txids, now);
      for (const txid of txids) doubted.delete(txid);
      return;
    }
    for (const txid of txids) {
      if (isOver()) return;
      note([txid], now);
      await settle(asking, txid, await hadInPlaceOf(asking, txid, dependences));
    }
  };

  const nodesOf = ({ looks, failing, silent }: Turn): readonly ChainNode[] =>
    wellNodes(looks, failing).filter((node) => !(silent.has(node) || leftOut.has(node)));

  const askAll = async (asking: Asking, due: readonly string[]): Promise<void> => {
    const { turn, nodes, silent } = asking;
    const from = performance.now();
    const isOver = (): boolean => turn.stopping.aborted || performance.now() - from >= LONGEST_MS;
    for (let nth = 0; nth < due.length && !isOver(); nth += AT_ONCE)
      await askOf(asking, due.slice(nth, nth + AT_ONCE), isOver);
    for (const node of nodes) if (silent.has(node)) leftOut.add(node);
    const now = performance.now();
    if (now - from >= MUCH_MS) notBefore = now + REST_MS;
  };

  return async (turn: Turn, tip: Tip): Promise<ReadonlySet<string>> => {
    const { pool, chain } = turn;
    const ended = new Set<string>();
    if (chain.agree <= 1 || chain.nodes.length <= 1) return ended;
    const due = dueIn(new Set(await judgedWaiting(pool, chain.coin)), timeOf(turn).getTime());
    await forgetDoubts(turn);
    if (due.length === 0 || performance.now() < notBefore) return ended;
    const asking: Asking = { turn, tip, nodes: nodesOf(turn), silent: createSilent(), ended };
    if (othersOf(asking).length > 0) await askAll(asking, due);
    return ended;
  };
};
