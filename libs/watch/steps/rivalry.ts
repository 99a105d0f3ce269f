import { wellNodes } from '../nodes/well.ts';
import { type Turn, timeOf } from '../parts.ts';
import { dependencesIn } from '../rows/inputs.ts';
import { type Had, rivalryAmong } from './had-rivals.ts';
import { neededForGood, speechlessBeside } from './witnesses.ts';

/** Then the rest of the turn has its own, and what is left is asked of with a later one. */
const LONGEST_MS = 3_000;

/** What takes longer is not asked with each turn: blocks wait for it meanwhile. */
const MUCH_MS = 500;
const REST_MS = 5_000;

/** As long as what as many have is asked of again of others. */
const STAYS_MS = 15_000;

/** `by` is undefined where too few have any; `isOpen` where that was not asked, or who did not answer may have it. */
type Rival = { readonly by: string | undefined; readonly isOpen: boolean };

const NOT_ASKED: Rival = { by: undefined, isOpen: true };

/**
 * What takes a payment's place, one of these or another: one that as many nodes have as have to agree, since its name is
 * told for good, and each of several could be made up. That is asked once in a turn, and `mayBeOlder` is as good as it was a
 * moment ago.
 */
export type RivalOfMost = (txid: string, rivals: readonly string[], mayBeOlder?: boolean) => Promise<Rival>;

export type Rivalry = {
  /** Those of a turn. */
  readonly begin: (turn: Turn) => RivalOfMost;
  /** All payments that have rivals, as they are to be asked of: the one first that was longest ago. */
  readonly inOrder: (txids: ReadonlySet<string>) => readonly string[];
};

/** One that the node that is read has comes first. */
export const hadByAsMany = (rivals: readonly string[], had: readonly Had[], needed: number): string | undefined => {
  const times = new Map<string, number>();
  for (const each of had.flatMap((those = []) => [...new Set(those)])) times.set(each, (times.get(each) ?? 0) + 1);
  return [...rivals, ...times.keys()].find((each) => (times.get(each) ?? 0) >= needed);
};

/** Those that did not answer may all have the same one. */
const isOpenAmong = (had: readonly Had[], needed: number, speechless: number): boolean =>
  speechless >= needed || hadByAsMany([], had, needed - speechless) !== undefined;

/** Of all that are well, the node that is read among them. */
const askingIn = (turn: Turn) => {
  const { pool, chain, looks, failing, silent } = turn;
  const well = wellNodes(looks, failing);
  const rivalry = rivalryAmong(well, silent);
  return async (txid: string, rivals: readonly string[]): Promise<Rival> => {
    const had = await rivalry(txid, rivals, await dependencesIn(pool, chain.coin, [txid]));
    const needed = neededForGood(turn);
    const by = hadByAsMany(rivals, had, needed);
    const said = well.filter((_, nth) => had[nth] !== undefined);
    return { by, isOpen: by === undefined && isOpenAmong(had, needed, speechlessBeside(turn, said)) };
  };
};

/** What as many had a moment ago. */
const createLasting = () => {
  const had = new Map<string, { readonly rival: Rival; readonly at: number }>();
  return {
    forget: (now: number): void => {
      for (const [txid, { at }] of had) if (now - at >= STAYS_MS) had.delete(txid);
    },
    of: (txid: string): Rival | undefined => had.get(txid)?.rival,
    note: (txid: string, rival: Rival, at: number): void => {
      if (rival.by !== undefined) had.set(txid, { rival, at });
    },
  };
};

export const createRivalry = (): Rivalry => {
  const asked = new Set<string>();
  const lasting = createLasting();
  let notBefore = 0;

  const begin = (turn: Turn): RivalOfMost => {
    const ask = askingIn(turn);
    const known = new Map<string, Rival>();
    const now = timeOf(turn).getTime();
    lasting.forget(now);
    const rests = performance.now() < notBefore;
    let spent = 0;
    const isOver = (): boolean => rests || turn.stopping.aborted || spent >= LONGEST_MS;
    const before = (txid: string, mayBeOlder: boolean): Rival | undefined =>
      known.get(txid) ?? (mayBeOlder ? lasting.of(txid) : undefined);

    return async (txid, rivals, mayBeOlder = false) => {
      const there = before(txid, mayBeOlder) ?? (isOver() ? NOT_ASKED : undefined);
      if (there) return there;
      const from = performance.now();
      const rival = await ask(txid, rivals);
      asked.delete(txid);
      asked.add(txid);
      known.set(txid, rival);
      lasting.note(txid, rival, now);
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
