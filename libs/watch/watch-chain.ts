import { type ChainNode, NodeRefused } from '#chains';
import { withinTime } from '#platform/pause';
import { chooseNode, createLook, type Look } from './nodes/look.ts';
import { createTeller } from './nodes/tell.ts';
import { ChainHeld, type RecentBlocks, type Turn, timeOf, type WatchParts } from './parts.ts';
import { forgetOthers, recordLooks } from './rows/nodes.ts';
import { holdTip, keptHash, readTip, releaseTip, type Tip, TipMoved } from './rows/tip.ts';
import { auditBlocks } from './steps/audit.ts';
import { confirmDue } from './steps/confirm.ts';
import { follow } from './steps/follow.ts';
import { judgeWaiting } from './steps/judge.ts';
import { type MempoolMemory, readMempool } from './steps/mempool.ts';
import { rescan } from './steps/rescan.ts';
import { resubmitVanished, type Submissions } from './steps/vanished.ts';

export type Watch = {
  /** How the nodes are, whatever a turn waits for meanwhile. */
  readonly lookAround: () => Promise<unknown>;
  /** What is read from a chain in one turn. */
  readonly turn: (stopping: AbortSignal) => Promise<void>;
  /** Reads again what an operator asked for, beside the turns: it slows none. */
  readonly rescan: (stopping: AbortSignal) => Promise<void>;
};

/** Then it is read as it is: a chain that is held may be so for days. */
const MOST_WAITS = 3;

/** A node that hangs has not got it. */
const PATIENCE_MS = 3_000;

/** On the best branch of so many nodes that are well. */
const agreementAmong =
  (looks: readonly Look[]) =>
  async (hash: string, height: number): Promise<number> => {
    const well = looks.filter(({ state }) => state === 'ok');
    const there = await Promise.all(
      well.map(({ node }) => withinTime(node.hashAt(height), PATIENCE_MS).catch(() => undefined)),
    );
    return there.filter((each) => each === hash).length;
  };

/** Follows one chain, turn by turn. What it knows is in the database: another instance goes on where this one stops. */
export const createWatch = (parts: WatchParts): Watch => {
  const { pool, chain, logger } = parts;
  const { coin } = chain;
  const look = createLook(chain, () => timeOf(parts));
  const submissions: Submissions = new Map();
  const recent: RecentBlocks = new Map();
  const tellNodes = createTeller(logger, coin);
  let reading: ChainNode | undefined;
  let newest: readonly Look[] = [];
  let memory: MempoolMemory | undefined;
  let waits = 0;
  let isFollowed = false;

  const lookAround = async (): Promise<readonly Look[]> => {
    const looks = await look({
      tip: await readTip(pool, coin),
      hashAt: (height) => keptHash(pool, coin, height),
    });
    newest = looks;
    tellNodes(looks);
    await recordLooks(pool, coin, looks);
    return looks;
  };

  const hold = async (error: unknown): Promise<void> => {
    if (!(error instanceof ChainHeld || error instanceof NodeRefused)) throw error;
    if (await holdTip(pool, coin, error.message))
      logger.error({ alert: 'chain_held', chain: coin, reason: error.message }, 'the next block cannot be applied');
  };

  const readNews = async (turn: Turn, tip: Tip): Promise<void> => {
    const news = await readMempool(turn, tip, memory, waits < MOST_WAITS);
    memory = news.memory;
    waits = news.stands ? 0 : waits + 1;
    await judgeWaiting(turn);
    const after = await turn.node.tip();
    // What is missing from the mempool is in the block that came meanwhile.
    if (after.hash === tip.hash) await resubmitVanished(turn, tip, news.mempool, submissions);
  };

  const turnOn = async ({ node, head }: Look, looks: readonly Look[], stopping: AbortSignal): Promise<void> => {
    if (!head) return;
    const turn = { ...parts, node, recent };
    const tip = await follow(turn, head, stopping).catch(hold);
    isFollowed = tip !== undefined;
    if (tip) {
      await releaseTip(pool, coin);
      await confirmDue(turn, tip, agreementAmong(looks));
    }
    const stands = tip ?? (await readTip(pool, coin));
    if (!stands || stopping.aborted) return;
    await readNews(turn, stands);
    if (!tip) return;
    const well = looks.filter(({ state }) => state === 'ok').map((each) => each.node);
    await auditBlocks(
      turn,
      tip,
      well.filter((each) => each !== node),
    ).catch(hold);
  };

  /** Whoever moved the tip has done what was to be done. */
  const unlessMoved = (error: unknown): void => {
    if (!(error instanceof TipMoved)) throw error;
    logger.debug({ chain: coin, reason: error.message }, 'another watcher was first');
  };

  let isCleared = false;
  const turn: Watch['turn'] = async (stopping) => {
    if (!isCleared)
      await forgetOthers(
        pool,
        coin,
        chain.nodes.map(({ name }) => name),
      );
    isCleared = true;
    const looks = await lookAround();
    const chosen = chooseNode(looks, reading);
    if (!chosen) return;
    reading = chosen.node;
    await turnOn(chosen, looks, stopping).catch(unlessMoved);
  };

  const rescanSome: Watch['rescan'] = async (stopping) => {
    const tip = reading && isFollowed ? await readTip(pool, coin) : undefined;
    if (!reading || !tip) return;
    const around = { looks: newest, agreement: agreementAmong(newest) };
    await rescan({ ...parts, node: reading, recent }, tip, around, stopping).catch(unlessMoved);
  };
  return { lookAround, turn, rescan: rescanSome };
};
