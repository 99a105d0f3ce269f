import { wellNodes } from '../nodes/well.ts';
import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { neededForGood, rivalryAmong } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** What takes longer is not asked with each turn: blocks wait for it meanwhile. */
const MUCH_MS = 500;
const REST_MS = 5_000;

/**
 * Whether as many nodes as have to agree have what takes a payment's place, be it one of these or another. They are too few
 * until that is asked, which is once in a turn, however many there are.
 */
export type AreEnough = (txid: string, rivals: readonly string[]) => Promise<boolean>;

export type Rivalry = {
  /** Those of a turn. */
  readonly begin: (turn: Turn) => AreEnough;
  /** All payments that have rivals, as they are to be asked of: the one first that was longest ago. */
  readonly inOrder: (txids: ReadonlySet<string>) => readonly string[];
};

export const createRivalry = (): Rivalry => {
  const asked = new Set<string>();
  let notBefore = 0;

  const begin = (turn: Turn): AreEnough => {
    const { pool, chain, looks, failing, silent, stopping } = turn;
    const rivalry = rivalryAmong(wellNodes(looks, failing), silent);
    const known = new Map<string, boolean>();
    const rests = performance.now() < notBefore;
    let spent = 0;

    const ask: AreEnough = async (txid, rivals) => {
      const having = await rivalry(txid, rivals, await dependencesIn(pool, chain.coin, [txid]));
      asked.delete(txid);
      asked.add(txid);
      return having >= neededForGood(turn);
    };

    return async (txid, rivals) => {
      const before = known.get(txid);
      if (before !== undefined) return before;
      if (rests || stopping.aborted || spent >= LONGEST_MS) return false;
      const from = performance.now();
      const areEnough = await ask(txid, rivals);
      known.set(txid, areEnough);
      spent += performance.now() - from;
      if (spent >= MUCH_MS) notBefore = performance.now() + REST_MS;
      return areEnough;
    };
  };

  return {
    begin,
    inOrder: (txids) => {
      for (const txid of asked) if (!txids.has(txid)) asked.delete(txid);
      return [...[...txids].filter((txid) => !asked.has(txid)), ...asked];
    },
  };
};
