import { type Turn, timeOf } from '../parts.ts';
import { moveRescan, openRescan, passBlock, type Rescan, waitForBlock } from '../rows/rescans.ts';
import type { Tip } from '../rows/tip.ts';
import { tellDifference } from './audit.ts';
import { type Around, askAll } from './reread.ts';
import { createWaits, type Waits } from './waits.ts';

const AT_ONCE = 20;

const ALERT = 'chain_rescan_incomplete';

const pass = async ({ pool, logger, chain }: Turn, { id, passed }: Rescan, height: number, problem: string) => {
  // Of a node that is pruned it is all blocks below one: they are counted, and told of once.
  if (passed === 0)
    logger.error({ alert: ALERT, chain: chain.coin, rescan: id, reason: problem }, 'a rescan passes what no node has');
  await passBlock(pool, id, height + 1, problem);
};

type Stepping = { readonly turn: Turn; readonly tip: Tip; readonly around: Around; readonly waits: Waits };

/** One block. */
const step = async (
  { turn, tip, around, waits }: Stepping,
  asked: Rescan,
  height: number,
): Promise<'read' | 'passed' | 'waits'> => {
  const { pool } = turn;
  const now = timeOf(turn).getTime();
  const answer = await askAll(turn, tip, around, height);
  if ('difference' in answer) {
    const { difference, node } = answer;
    waits.gave(asked, node);
    if (difference.missing + difference.surplus > 0) tellDifference(turn, node, height, difference);
    await moveRescan(pool, asked.id, height + 1, difference.missing);
    return 'read';
  }
  const mayCome = answer.mayCome || answer.awaited.some((look) => waits.isAwaited(asked, look));
  if (mayCome && !waits.isOver(asked, height, now)) {
    await waitForBlock(pool, asked.id);
    waits.waits(asked, height, now);
    return 'waits';
  }
  waits.gaveUp(asked, answer.awaited);
  await pass(turn, asked, height, answer.problem);
  return 'passed';
};

const stepAll = async (stepping: Stepping, asked: Rescan, last: number): Promise<void> => {
  let { passed } = asked;
  for (let height = asked.nextHeight; height <= last && !stepping.turn.stopping.aborted; height += 1) {
    const came = await step(stepping, { ...asked, passed }, height);
    if (came === 'waits') return;
    if (came === 'passed') passed += 1;
  }
};

/** What an operator asked for, some blocks at a time. */
export const createRescanning = () => {
  const waits = createWaits();
  return async (turn: Turn, tip: Tip, around: Around): Promise<void> => {
    const { pool, chain } = turn;
    const asked = await openRescan(pool, chain.coin);
    if (!asked || waits.rests(asked, timeOf(turn).getTime())) return;
    waits.look(asked, around.looks);
    const last = Math.min(asked.toHeight, tip.height, asked.nextHeight + AT_ONCE - 1);
    if (last < asked.nextHeight) return moveRescan(pool, asked.id, asked.toHeight + 1, 0);
    await stepAll({ turn, tip, around, waits }, asked, last);
  };
};
