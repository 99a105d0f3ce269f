import { inTransaction } from '#platform/postgres';
import { areBlocksAgreed } from '../chain.ts';
import { type Turn, timeOf } from '../parts.ts';
import { forgetRivals, type MinedRival, rivalsOf } from '../rows/rivals.ts';
import { keptHash, lockTip, type Tip } from '../rows/tip.ts';
import { end, txidsOf } from './block-rivals.ts';
import { type Decided, decidedByMost } from './ending.ts';
import { createTellingOpen } from './tell-open.ts';
import { type Agreement, neededForGood } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with the next one. */
const LONGEST_MS = 3_000;

/**
 * What was not decided so long is not asked of with each turn: a node that hangs at an old block tells nothing else of blocks
 * meanwhile.
 */
const SOON_MS = 60_000;
const EVERY_MS = 30_000;

const decidedBy = async (turn: Turn, agreement: Agreement, rivals: readonly MinedRival[]): Promise<Decided> => {
  const [{ hash, height } = { hash: '', height: 0 }] = rivals;
  if ((await keptHash(turn.pool, turn.chain.coin, height)) !== hash)
    return new Map(txidsOf(rivals).map((txid) => [txid, undefined]));
  if (areBlocksAgreed(turn.chain)) return decidedByMost(turn, hash, rivals);
  const isAgreed = (await agreement(hash, height)) >= neededForGood(turn);
  return new Map(isAgreed ? rivals.map(({ txid, by }) => [txid, by]) : []);
};

/** What blocks that were applied end, as far as that is open: once as many nodes show it, or have the block, as have to agree. */
export const createSettling = () => {
  /** The one first that was asked of longest ago. */
  const asked = new Map<string, number>();
  const open = createTellingOpen();

  const inOrder = (turn: Turn, hashes: ReadonlySet<string>): readonly string[] => {
    for (const hash of asked.keys()) if (!hashes.has(hash)) asked.delete(hash);
    open.keepTo(hashes);
    const now = timeOf(turn).getTime();
    const rests = (hash: string, at: number): boolean =>
      areBlocksAgreed(turn.chain) && now - (open.since(hash) ?? now) >= SOON_MS && now - at < EVERY_MS;
    const before = [...asked].flatMap(([hash, at]) => (rests(hash, at) ? [] : [hash]));
    return [...[...hashes].filter((hash) => !asked.has(hash)), ...before];
  };

  const settle = async (turn: Turn, tip: Tip, rivals: readonly MinedRival[], decided: Decided): Promise<void> => {
    const { pool, chain } = turn;
    const pegOuts = new Set(rivals.flatMap(({ by, isByPegOut }) => (isByPegOut ? [by] : [])));
    const all = [...decided].flatMap(([txid, by]) =>
      by === undefined ? [] : [{ txid, by, isByPegOut: pegOuts.has(by) }],
    );
    await inTransaction(pool, async (db) => {
      await lockTip(db, chain.coin, tip.hash);
      await end(db, turn, all);
      await forgetRivals(db, chain.coin, rivals[0]?.hash ?? '', [...decided.keys()]);
    });
  };

  const askOf = async (turn: Turn, tip: Tip, agreement: Agreement, rivals: readonly MinedRival[]): Promise<void> => {
    const hash = rivals[0]?.hash ?? '';
    asked.delete(hash);
    asked.set(hash, timeOf(turn).getTime());
    const decided = await decidedBy(turn, agreement, rivals);
    if (decided.size > 0) await settle(turn, tip, rivals, decided);
    const left = rivals.filter(({ txid }) => !decided.has(txid));
    if (left.length > 0) open.tell(turn, hash, left);
  };

  return async (turn: Turn, tip: Tip, agreement: Agreement): Promise<void> => {
    const byBlock = Map.groupBy(await rivalsOf(turn.pool, turn.chain.coin), ({ hash }) => hash);
    const until = performance.now() + LONGEST_MS;
    for (const hash of inOrder(turn, new Set(byBlock.keys()))) {
      if (turn.stopping.aborted || performance.now() >= until) return;
      await askOf(turn, tip, agreement, byBlock.get(hash) ?? []);
    }
  };
};
