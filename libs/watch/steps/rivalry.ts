import { wellNodes } from '../nodes/well.ts';
import type { Turn } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { rivalryAmong } from './had-rivals.ts';
import { neededForGood } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** What takes longer is not asked with each turn: blocks wait for it meanwhile. */
const MUCH_MS = 500;
const REST_MS = 5_000;

/**
 * What takes a payment's place, one of these or another: one that as many nodes have as have to agree, since its name is
 * told for good, and each of several could be made up. They are too few until that is asked, which is once in a turn.
 */
export type RivalOfMost = (txid: string, rivals: readonly string[]) => Promise<string | undefined>;

export type Rivalry = {
  /** Those of a turn. */
  readonly begin: (turn: Turn) => RivalOfMost;
  /** All payments that have rivals, as they are to be asked of: the one first that was longest ago. */
  readonly inOrder: (txids: ReadonlySet<string>) => readonly string[];
};

/** One that the node that is read has comes first. */
export const hadByAsMany = (
  rivals: readonly string[],
  had: readonly (readonly string[])[],
  needed: number,
): string | undefined => {
  const times = new Map<string, number>();
  for (const each of had.flatMap((those) => [...new Set(those)])) times.set(each, (times.get(each) ?? 0) + 1);
  return [...rivals, ...times.keys()].find((each) => (times.get(each) ?? 0) >= needed);
};

export const createRivalry = (): Rivalry => {
  const asked = new Set<string>();
  let notBefore = 0;

  const begin = (turn: Turn): RivalOfMost => {
    const { pool, chain, looks, failing, silent, stopping } = turn;
    const rivalry = rivalryAmong(wellNodes(looks, failing), silent);
    const known = new Map<string, string | undefined>();
    const rests = performance.now() < notBefore;
    let spent = 0;

    const ask: RivalOfMost = async (txid, rivals) => {
      const had = await rivalry(txid, rivals, await dependencesIn(pool, chain.coin, [txid]));
      asked.delete(txid);
      asked.add(txid);
      return hadByAsMany(rivals, had, neededForGood(turn));
    };

    return async (txid, rivals) => {
      if (known.has(txid)) return known.get(txid);
      if (rests || stopping.aborted || spent >= LONGEST_MS) return undefined;
      const from = performance.now();
      const rival = await ask(txid, rivals);
      known.set(txid, rival);
      spent += performance.now() - from;
      if (spent >= MUCH_MS) notBefore = performance.now() + REST_MS;
      return rival;
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
