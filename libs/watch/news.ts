import type { BlockTip } from '#chains';
import type { Look } from './nodes/look.ts';
import type { Reading } from './nodes/reading.ts';
import { wellNodes } from './nodes/well.ts';
import type { Turn, WatchParts } from './parts.ts';
import { createPassing } from './passing.ts';
import type { Tip } from './rows/tip.ts';
import { createAlone } from './steps/alone.ts';
import { areAtOdds, beyondOf, createDoubts } from './steps/contested.ts';
import { type Judgings, judgeUnconfirmed } from './steps/judge.ts';
import { createListElsewhere } from './steps/listed-since.ts';
import { type MempoolMemory, readMempool } from './steps/mempool.ts';
import type { PoolsElsewhere } from './steps/pools-elsewhere.ts';
import { createRivalry } from './steps/rivalry.ts';
import { createRivalsElsewhere } from './steps/rivals-elsewhere.ts';
import { createSettleTold } from './steps/settle-told.ts';
import { createShowing } from './steps/shown.ts';
import { createSubmissions, resubmitVanished } from './steps/vanished.ts';
import { createVouching } from './steps/vouching.ts';
import { type Agreement, createWitnesses } from './steps/witnesses.ts';

/** How far the chain was applied, whether to where the node stood, and where that was. */
export type Stands = { readonly tip: Tip; readonly head: BlockTip; readonly isFollowed: boolean };

/** So that it is looked at again. */
const without = (memory: MempoolMemory, txids: ReadonlySet<string>): MempoolMemory =>
  txids.size === 0 ? memory : { ...memory, looked: new Set([...memory.looked].filter((txid) => !txids.has(txid))) };

/** What is in no block yet, turn by turn: what came, what may count unconfirmed, and what has to be sent once more. */
export const createNews = (parts: WatchParts, reading: Reading, pools: Pick<PoolsElsewhere, 'note'>) => {
  const submissions = createSubmissions();
  const judgings: Judgings = new Map();
  const doubt = createDoubts();
  const rivalry = createRivalry();
  const listElsewhere = createListElsewhere(parts);
  const endElsewhere = createRivalsElsewhere();
  const passing = createPassing(parts);
  const bearOut = createAlone();
  const vouching = createVouching(parts);
  let memory: MempoolMemory | undefined;
  const told = createSettleTold(parts);

  const read = async (turn: Turn, { tip, head, isFollowed }: Stands, looks: readonly Look[], agreement: Agreement) => {
    const news = await readMempool(turn, { tip, head }, memory, { rivalry, listElsewhere }).catch((error: unknown) => {
      passing.pass(turn.node, error);
      reading.leave(turn.node);
      return undefined;
    });
    if (news) pools.note(turn.node, news);
    const beyond = beyondOf(looks, turn.node);
    await doubt(turn, tip, beyond);
    const ended = await endElsewhere(turn, tip);
    memory &&= without(memory, ended);
    const well = wellNodes(looks, turn.failing);
    const witnesses = createWitnesses(
      well.filter((node) => node !== turn.node),
      turn.silent,
    );
    const isWell = well.includes(turn.node);
    const isSound = isFollowed && news?.stands === true && isWell;
    const isTheirs = isFollowed && looks.some(({ node, state }) => node === turn.node && state === 'elsewhere');
    const stands = async (): Promise<boolean> => (isWell || isTheirs) && (await turn.node.tip()).hash === tip.hash;
    const isContested = areAtOdds(turn, beyond);
    const showing = createShowing(turn);
    const evidence = { tip, isSound, isContested, stands, agreement, witnesses, vouches: vouching(), showing, news };
    await judgeUnconfirmed(turn, evidence, judgings);
    if (!news) return;
    memory = without(news.memory, ended);
    if (news.isVain) reading.leave(turn.node);
    passing.end();
    const after = await turn.node.tip();
    // What is missing from the mempool is in the block that came meanwhile.
    if (after.hash !== tip.hash) return;
    await told.settle(turn, { tip, isFollowed, mempool: news.mempool, agreement });
    await resubmitVanished(turn, tip, news.mempool, submissions);
    memory = without(memory, await bearOut(turn, tip, news.mempool));
  };
  return { read, mayTell: told.mayTell };
};
