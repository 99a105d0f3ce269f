import type { ChainNode } from '#chains';
import type { Look } from '../nodes/look.ts';
import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { judgedWaiting } from '../rows/judged.ts';
import type { Tip } from '../rows/tip.ts';
import { doubtOne } from './doubt-one.ts';
import { createWitnesses } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with the next one. */
const LONGEST_MS = 3_000;

/** Who goes on without the node that is read, and is not followed. */
export const beyondOf = (looks: readonly Look[], reading: ChainNode): readonly Look[] => {
  const beyond = looks.find(({ node }) => node === reading)?.beyond;
  return looks.filter(({ node }) => beyond?.nodes.includes(node));
};

/** As many as have to agree go on so, or some on another branch: who is right is not known. */
export const areAtOdds = ({ chain }: Turn, beyond: readonly Look[]): boolean =>
  beyond.length >= Math.max(1, chain.agree) || beyond.some(({ state }) => state === 'elsewhere');

export type Doubts = (turn: Turn, tip: Tip, beyond: readonly Look[]) => Promise<void>;

const headsOf = (looks: readonly Look[]): string => looks.map(({ node, head }) => `${node.name} ${head?.hash}`).join();

/** Undefined where one of them hangs: it is asked again. */
const isLostThere = async ({ pool, chain, silent }: Turn, beyond: readonly Look[], txid: string) => {
  const nodes = beyond.map(({ node }) => node);
  const ask = createWitnesses(nodes, silent);
  const { hasRival, isBarred } = await ask(txid, await dependencesIn(pool, chain.coin, [txid]));
  return nodes.some(silent.has) ? undefined : hasRival || isBarred;
};

/**
 * Where others go on without the node that is read, and are too few to be followed, what waits and passed the guards before
 * is judged anew if it cannot come where they stand. They are asked with each block of theirs.
 */
export const createDoubts = (): Doubts => {
  let asked = '';
  let left = new Set<string>();
  const doubted = new Set<string>();

  const begin = async ({ pool, chain }: Turn, heads: string): Promise<void> => {
    if (heads === asked) return;
    if (heads === '') doubted.clear();
    const judged = heads === '' ? [] : await judgedWaiting(pool, chain.coin);
    left = new Set(judged.filter((txid) => !doubted.has(txid)));
    asked = heads;
  };

  return async (turn, tip, beyond) => {
    await begin(turn, headsOf(beyond));
    const until = performance.now() + LONGEST_MS;
    for (const txid of left) {
      if (turn.stopping.aborted || performance.now() >= until) return;
      const isLost = await isLostThere(turn, beyond, txid);
      if (isLost === undefined) return;
      if (isLost) {
        await doubtOne(turn, tip, txid);
        doubted.add(txid);
      }
      left.delete(txid);
    }
  };
};
