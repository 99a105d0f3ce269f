import { type BlockTip, type ChainNode, isOfNode } from '#chains';
import { reasonOf } from '#platform/reason';
import { createHolding } from './holding.ts';
import { createLookAround } from './look-around.ts';
import { createFailing } from './nodes/failing.ts';
import { createLately } from './nodes/lately.ts';
import { isAway, type Look, readableOf } from './nodes/look.ts';
import { createReading } from './nodes/reading.ts';
import { createSilent } from './nodes/silent.ts';
import {
  ChainHeld,
  Parted,
  type RecentBlocks,
  type Rivals,
  type Turn,
  timeOf,
  type Untold,
  type WatchParts,
} from './parts.ts';
import { createPassing } from './passing.ts';
import { forgetOthers } from './rows/nodes.ts';
import { readTip, type Tip, TipMoved } from './rows/tip.ts';
import { auditBlocks } from './steps/audit.ts';
import { GivenUpAlone } from './steps/borne-out.ts';
import { areAtOdds, beyondOf, createDoubts } from './steps/contested.ts';
import { createDeepening } from './steps/deepen.ts';
import { follow } from './steps/follow.ts';
import { type Judgings, judgeUnconfirmed } from './steps/judge.ts';
import { type MempoolMemory, readMempool } from './steps/mempool.ts';
import { rescan } from './steps/rescan.ts';
import { settleRivals } from './steps/rivals.ts';
import { settlementAmong } from './steps/settlement.ts';
import { resubmitVanished, type Submissions } from './steps/vanished.ts';
import { type Agreement, agreementAmong, createWitnesses } from './steps/witnesses.ts';

export type Watch = {
  /** How the nodes are, whatever a turn waits for meanwhile. */
  readonly lookAround: () => Promise<unknown>;
  /** What is read from a chain in one turn. */
  readonly turn: (stopping: AbortSignal) => Promise<void>;
  /** Reads again what an operator asked for, beside the turns: it slows none. */
  readonly rescan: (stopping: AbortSignal) => Promise<void>;
  /** Whether nodes that failed and are not read meanwhile work again, beside the turns too. */
  readonly tryAgain: () => Promise<void>;
};

/** How far the chain was applied, and where the node stood. */
type Stands = { readonly tip: Tip; readonly head: BlockTip };

/** Follows one chain, turn by turn. What it knows is in the database: another instance goes on where this one stops. */
export const createWatch = (parts: WatchParts): Watch => {
  const { pool, chain, logger } = parts;
  const { coin } = chain;
  const submissions: Submissions = new Map();
  const recent: RecentBlocks = new Map();
  const untold: Untold = new Map();
  const rivals: Rivals = new Map();
  const judgings: Judgings = new Map();
  const doubt = createDoubts();
  const deepen = createDeepening();
  const failing = createFailing();
  const lately = createLately(() => timeOf(parts));
  const look = createLookAround(parts, failing, lately);
  const holding = createHolding(parts);
  const reading = createReading();
  const passing = createPassing(parts);
  let newest: readonly Look[] = [];
  let memory: MempoolMemory | undefined;
  let isFollowed = false;
  let isHeld = false;
  let isParted = true;

  const lookAround = async (): Promise<readonly Look[]> => {
    const looks = await look();
    newest = looks;
    return looks;
  };

  /** Without those that failed since. */
  const wellAmong = (looks: readonly Look[]): readonly Look[] =>
    looks.filter(({ node, state }) => state === 'ok' && !failing.has(node));

  const wellOf = (looks: readonly Look[]): readonly ChainNode[] => wellAmong(looks).map(({ node }) => node);

  const othersOf = (looks: readonly Look[], node: ChainNode): readonly ChainNode[] =>
    wellOf(looks).filter((each) => each !== node);

  /** Whatever else fails ends the turn. */
  const hold = async (error: unknown): Promise<undefined> => {
    if (!(error instanceof ChainHeld)) throw error;
    if (error instanceof GivenUpAlone) reading.refuse();
    [isHeld, isParted] = [true, error instanceof Parted];
    await (error.mayPass ? holding.wait(error.message) : holding.hold(error.message));
  };

  const turnFrom = (node: ChainNode, looks: readonly Look[], stopping: AbortSignal): Turn => {
    const others = readableOf(looks, node).map((each) => each.node);
    const silent = createSilent(looks.filter(isAway).map((each) => each.node));
    const rest = { recent, untold, rivals, looks, lately, failing, silent, reticent: new Set<ChainNode>(), stopping };
    return { ...parts, node, others: others.filter((each) => each !== node), ...rest };
  };

  const readNews = async (turn: Turn, { tip, head }: Stands, looks: readonly Look[], agreement: Agreement) => {
    const news = await readMempool(turn, { tip, head }, memory).catch((error: unknown) => {
      passing.pass(turn.node, error);
      reading.leave(turn.node);
      return undefined;
    });
    const beyond = beyondOf(looks, turn.node);
    await doubt(turn, tip, beyond);
    const witnesses = createWitnesses(othersOf(looks, turn.node), turn.silent);
    const isWell = wellOf(looks).includes(turn.node);
    const isSound = isFollowed && news?.stands === true && isWell;
    const isTheirs = isFollowed && looks.some(({ node, state }) => node === turn.node && state === 'elsewhere');
    const stands = async (): Promise<boolean> => (isWell || isTheirs) && (await turn.node.tip()).hash === tip.hash;
    const isContested = areAtOdds(turn, beyond);
    await judgeUnconfirmed(turn, { tip, isSound, isContested, stands, agreement, witnesses, news }, judgings);
    if (!news) return;
    memory = news.memory;
    passing.end();
    const after = await turn.node.tip();
    // What is missing from the mempool is in the block that came meanwhile.
    if (after.hash === tip.hash) await resubmitVanished(turn, tip, news.mempool, submissions);
  };

  const turnOn = async ({ node, head }: Look, looks: readonly Look[], stopping: AbortSignal): Promise<void> => {
    if (!head) return;
    const turn = turnFrom(node, looks, stopping);
    const agreement = agreementAmong(() => wellOf(looks), turn.silent);
    const tip = await follow(turn, head).catch(hold);
    isFollowed = tip !== undefined;
    isParted &&= !isFollowed;
    const stands = tip ?? (await readTip(pool, coin));
    if (stands) await settleRivals(turn, stands, agreement);
    const settlement = settlementAmong(() => wellAmong(looks), turn);
    if (tip) await deepen(turn, tip, { agreement, settlement }).catch(hold);
    if (!stands || stopping.aborted) return;
    await readNews(turn, { tip: stands, head }, looks, agreement);
    if (!tip) return;
    await auditBlocks(turn, tip, othersOf(looks, node)).catch(hold);
  };

  const holdWhere = async ({ beyond }: Look): Promise<void> => {
    if (!isHeld && beyond) await hold(new ChainHeld(beyond.sentence));
  };

  const turnThrough = async (chosen: Look, looks: readonly Look[], stopping: AbortSignal): Promise<void> => {
    isHeld = false;
    try {
      await turnOn(chosen, looks, stopping);
    } catch (error) {
      if (error instanceof TipMoved) throw error;
      if (isOfNode(error)) reading.leave(chosen.node);
      await holding.wait(reasonOf(error));
      throw error;
    }
    reading.stay(chosen.node);
    await holdWhere(chosen);
    if (!isHeld && !stopping.aborted) await holding.release();
  };

  /** Whoever moved the tip has done what was to be done. */
  const unlessMoved = (error: unknown): void => {
    if (!(error instanceof TipMoved)) throw error;
    logger.debug({ chain: coin, reason: error.message }, 'another watcher was first');
  };

  let isCleared = false;
  const turn: Watch['turn'] = async (stopping) => {
    const names = chain.nodes.map(({ name }) => name);
    if (!isCleared) await forgetOthers(pool, coin, names);
    isCleared = true;
    const looks = await lookAround();
    const chosen = reading.choose(looks);
    if (!chosen) return holding.forget();
    await turnThrough(chosen, looks, stopping).catch(unlessMoved);
  };

  const rescanSome: Watch['rescan'] = async (stopping) => {
    const node = reading.node();
    const tip = node && !isParted ? await readTip(pool, coin) : undefined;
    if (!node || !tip) return;
    const rescanned = turnFrom(node, newest, stopping);
    const agreement = agreementAmong(() => wellOf(newest), rescanned.silent);
    await rescan(rescanned, tip, { looks: newest, agreement }).catch(unlessMoved);
  };

  const tryAgain = async (): Promise<void> => {
    for (const { node, head } of newest)
      if (head && node !== reading.node() && failing.has(node)) await failing.tryAgain(node);
  };
  return { lookAround, turn, rescan: rescanSome, tryAgain };
};
