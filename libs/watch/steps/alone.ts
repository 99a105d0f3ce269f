import type { ChainNode } from '#chains';
import { inTransaction } from '#platform/postgres';
import { wellNodes } from '../nodes/well.ts';
import { type Turn, timeOf } from '../parts.ts';
import { type Alone, aloneOnes, bearOut, markDenied } from '../rows/alone.ts';
import { rawOf } from '../rows/payments.ts';
import { lockTip, type Tip } from '../rows/tip.ts';
import { DROP_AFTER_MS, drop } from './drop.ts';
import { hasAsTold } from './witnesses.ts';

/** Longer than a payment takes from one node to the next. */
const EVERY_MS = 15_000;
/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** All that one transaction pays of ours. */
type Those = readonly Alone[];

/** What it has not got it is sent: one that merely missed it takes it then. */
const takes = async (node: ChainNode, txid: string, raw: string | null, those: Those): Promise<boolean> => {
  if (await hasAsTold(node, txid, those)) return true;
  if (raw === null || !(await node.submit(raw)).isIn) return false;
  // Where a name does not prove the bytes these may be of another one, which it has.
  return node.outputsOf === undefined || hasAsTold(node, txid, those);
};

const idsOf = (those: Those): readonly number[] => those.map(({ id }) => id);

const isWaiting = ({ state }: Alone): boolean => state === 'waiting';

const deny = async (turn: Turn, tip: Tip, those: Those): Promise<void> => {
  const { pool, chain, dropAfterMs = DROP_AFTER_MS } = turn;
  const now = timeOf(turn);
  const isOver = ({ deniedSince }: Alone): boolean => now.getTime() - (deniedSince ?? now).getTime() >= dropAfterMs;
  await inTransaction(pool, async (db) => {
    await lockTip(db, chain.coin, tip.hash);
    await markDenied(db, idsOf(those), now);
    await drop(db, chain.coin, idsOf(those.filter(isOver)), now);
  });
};

type Asked = { readonly turn: Turn; readonly tip: Tip; readonly mempool: ReadonlySet<string> };

/** True where as many have it as have to agree. One that does not answer neither has nor refuses it. */
const askOf = async ({ turn, tip, mempool }: Asked, txid: string, those: Those): Promise<boolean> => {
  const { pool, chain, looks, failing, silent } = turn;
  const raw = await rawOf(pool, chain.coin, txid);
  const well = wellNodes(looks, failing);
  const answers = await Promise.all(
    well.map((node) =>
      node === turn.node && mempool.has(txid) ? true : silent.ask(node, (each) => takes(each, txid, raw, those)),
    ),
  );
  const counted = (wanted: boolean): number => answers.filter((answer) => answer === wanted).length;
  if (counted(true) >= chain.agree) {
    await bearOut(pool, idsOf(those));
    return true;
  }
  if (counted(false) >= chain.agree) await deny(turn, tip, those);
  else if (chain.nodes.length - counted(true) < chain.agree) await markDenied(pool, idsOf(those), null);
  return false;
};

/**
 * What one node shows may be made up, as without any signature, and block a deposit for as long as that node keeps it. So of
 * each that waits the others are asked until as many had it as have to agree; what as many refuse for two hours meanwhile is
 * given up, and is seen in a mempool again once as many have it. In a block it counts as ever. Answers with what is to be
 * looked at again.
 */
export const createAlone = () => {
  const asked = new Map<string, number>();

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
    const due = dueIn(
      Map.groupBy(alone, ({ txid }) => txid),
      mempool,
      now,
    );
    for (const { txid, those } of due) {
      if (stopping.aborted || performance.now() >= until) break;
      asked.set(txid, now);
      const isBorneOut = await askOf({ turn, tip, mempool }, txid, those);
      if (isBorneOut && !those.some(isWaiting)) again.add(txid);
    }
    return again;
  };
};
