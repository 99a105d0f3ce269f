import type { ChainNode } from '#chains';
import { reasonOf } from '#platform/reason';
import { createAtOdds } from './at-odds.ts';
import { createHolding } from './holding.ts';
import { createLookAround } from './look-around.ts';
import { createNews, type Stands } from './news.ts';
import { createFailing } from './nodes/failing.ts';
import { createLately } from './nodes/lately.ts';
import type { Look } from './nodes/look.ts';
import { createReading } from './nodes/reading.ts';
import { tryUnread } from './nodes/try-unread.ts';
import { wellAmong, wellNodes } from './nodes/well.ts';
import { ChainHeld, Parted, SaidByOne, type Turn, timeOf, type WatchParts } from './parts.ts';
import { putOffIn } from './put-off.ts';
import { forgetOthers } from './rows/nodes.ts';
import { readTip, type Tip, TipMoved } from './rows/tip.ts';
import { auditBlocks } from './steps/audit.ts';
import { GivenUpAlone } from './steps/borne-out.ts';
import { createDeepening } from './steps/deepen.ts';
import { follow } from './steps/follow.ts';
import { lookForHidden } from './steps/hidden-rivals.ts';
import { createPoolsElsewhere } from './steps/pools-elsewhere.ts';
import { createRescanning } from './steps/rescan.ts';
import { createSettling } from './steps/settle-rivals.ts';
import { settlementAmong } from './steps/settlement.ts';
import { type Agreement, agreementAmong } from './steps/witnesses.ts';
import { createTurns } from './turns.ts';

export type Watch = {
  /** How the nodes are, whatever a turn waits for meanwhile. */
  readonly lookAround: () => Promise<unknown>;
  /** What is read from a chain in one turn. */
  readonly turn: (stopping: AbortSignal) => Promise<void>;
  /** Reads again what an operator asked for, beside the turns: it slows none. */
  readonly rescan: (stopping: AbortSignal) => Promise<void>;
  /** What waits at nodes that are not read, beside the turns too. */
  readonly listElsewhere: (stopping: AbortSignal) => Promise<void>;
  /** Whether nodes that failed and are not read meanwhile work again, beside the turns too. */
  readonly tryAgain: () => Promise<void>;
  /** False while the log knows payments that were not looked for yet: what is told beside them may count twice. */
  readonly mayTell: () => Promise<boolean>;
};

/** Follows one chain, turn by turn. What it knows is in the database: another instance goes on where this one stops. */
export const createWatch = (parts: WatchParts): Watch => {
  const { pool, chain, logger } = parts;
  const { coin } = chain;
  const deepen = createDeepening();
  const settleRivals = createSettling();
  const rescan = createRescanning();
  const [failing, lately] = [createFailing(), createLately(() => timeOf(parts))];
  const turnFrom = createTurns(parts, { lately, failing });
  const look = createLookAround(parts, failing, lately);
  const holding = createHolding(parts);
  const reading = createReading();
  const pools = createPoolsElsewhere(parts, reading);
  const news = createNews(parts, reading, pools);
  const atOdds = createAtOdds(parts, failing, reading);
  let newest: readonly Look[] = [];
  let isHeld = false;
  /** By what another turn may be without: it hides no sentence on nodes that are at odds. */
  let mayPass = false;
  let isParted = true;
  /** As many nodes as have to agree part deeper than anybody but a person decides on. */
  let isParting = false;

  const lookAround = async (): Promise<readonly Look[]> => {
    newest = await look();
    return newest;
  };

  const wellOf = (looks: readonly Look[]): readonly ChainNode[] => wellNodes(looks, failing);

  const othersOf = (looks: readonly Look[], node: ChainNode): readonly ChainNode[] =>
    wellOf(looks).filter((each) => each !== node);

  const holdFor = async (error: ChainHeld): Promise<void> => {
    [isHeld, mayPass] = [true, error.mayPass];
    await (error.mayPass ? holding.wait(error.message) : holding.hold(error.message));
  };

  /** Whatever else fails ends the turn. */
  const hold = async (error: unknown): Promise<undefined> => {
    if (!(error instanceof ChainHeld)) throw error;
    if (error instanceof GivenUpAlone || error instanceof SaidByOne) reading.refuse();
    isParted = error instanceof Parted;
    isParting = isParted && !(error instanceof GivenUpAlone);
    await holdFor(error);
  };

  const settle = async (turn: Turn, tip: Tip, agreement: Agreement): Promise<void> => {
    await lookForHidden(turn, tip);
    await settleRivals(turn, tip, agreement);
  };

  /** What is in no block yet, and older blocks a second time. */
  const readBeside = async (
    turn: Turn,
    stands: Stands,
    looks: readonly Look[],
    agreement: Agreement,
  ): Promise<void> => {
    if (turn.stopping.aborted) return;
    await news.read(turn, stands, looks, agreement);
    if (stands.isFollowed) await auditBlocks(turn, stands.tip, othersOf(looks, turn.node)).catch(hold);
  };

  const turnOn = async ({ node, head }: Look, looks: readonly Look[], stopping: AbortSignal): Promise<void> => {
    if (!head) return;
    const turn = turnFrom(node, looks, stopping);
    const agreement = agreementAmong(() => wellOf(looks), turn.silent);
    const failures: unknown[] = [];
    const failed = putOffIn(failures);
    const tip = await follow(turn, head).catch(hold).catch(failed);
    isParted &&= tip === undefined;
    const stands = tip ?? (await readTip(pool, coin));
    if (stands) await settle(turn, stands, agreement);
    const settlement = settlementAmong(() => wellAmong(looks, failing), turn);
    // What is confirmed is judged no more.
    if (tip) await deepen(turn, tip, { agreement, settlement }).catch(hold).catch(failed);
    if (stands) await readBeside(turn, { tip: stands, head, isFollowed: tip !== undefined }, looks, agreement);
    for (const failure of failures) throw failure;
  };

  /** A sentence on nodes says nothing of the branch that is read. */
  const holdWhere = async (chosen: Look, looks: readonly Look[]): Promise<void> => {
    const sentence = await atOdds.sentence(chosen, looks);
    if ((!isHeld || mayPass) && sentence !== undefined) await holdFor(new ChainHeld(sentence));
  };

  const turnThrough = async (chosen: Look, looks: readonly Look[], stopping: AbortSignal): Promise<void> => {
    [isHeld, isParting, mayPass] = [false, false, false];
    try {
      await turnOn(chosen, looks, stopping);
    } catch (error) {
      if (error instanceof TipMoved) throw error;
      reading.failed(chosen.node, error);
      await holding.wait(reasonOf(error));
      throw error;
    }
    reading.stay(chosen.node);
    await holdWhere(chosen, looks);
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
    await atOdds.leave(looks, isParting);
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

  const listElsewhere: Watch['listElsewhere'] = async (stopping) => {
    const node = reading.node();
    if (node) await pools.look(turnFrom(node, newest, stopping), othersOf(newest, node));
  };

  const tryAgain = (): Promise<void> => tryUnread(newest, failing, reading.node());
  return { lookAround, turn, rescan: rescanSome, listElsewhere, tryAgain, mayTell: news.mayTell };
};
