import { LRUCache } from 'lru-cache';
import { type Gate, strangerFrom } from '#platform/gate';
import { orUndone } from '#platform/postgres';
import { createMemory, type MemoryOptions } from '#platform/remembered';
import { sameHash } from './key-hash.ts';

const MOST_GOOD = 10_000;

/** A credential as somebody shows it: its hash, and the address that he calls from. */
export type Shown = { readonly hash: Buffer; readonly from: string };

export type LookUps<Found> = {
  /** What is remembered under `name`, else what `ask` says. */
  readonly find: (name: string, shown: Shown, ask: () => Promise<Found | undefined>) => Promise<Found | undefined>;
  /** For what else is asked with a credential of which nobody knows yet whether it is one. */
  readonly inTurn: <T>(name: string, shown: Shown, work: () => Promise<T>) => Promise<T>;
  readonly forget: () => void;
};

/** A good secret beside the id of another key is no good credential. */
const wholeOf = (name: string, hash: Buffer): string => `${name} ${hash.toString('hex')}`;

/**
 * Whoever shows a credential is a stranger until it is found, and takes his turn among them. One that was found before
 * is looked up anew at once: no crowd shuts out who calls all the time.
 */
export const createLookUps = <Found extends { readonly hash: Buffer }>(
  gate: Gate,
  options: MemoryOptions = {},
): LookUps<Found> => {
  const memory = createMemory<Found | undefined>(options);
  const waiting = new Map<string, Promise<Found | undefined>>();
  const good = new LRUCache<string, true>({ max: MOST_GOOD });

  /**
   * All who show the same from one address wait in one place, and in none with those of another: who names the id of
   * somebody's key from within a crowd keeps him from nothing. Once it is asked for, only the memory knows whether that
   * was before a change.
   */
  const askInTurn = (name: string, from: string, ask: () => Promise<Found | undefined>): Promise<Found | undefined> => {
    const place = `${from} ${name}`;
    const before = waiting.get(place);
    if (before !== undefined) return before;
    const turn = gate(strangerFrom(from, name), () => {
      waiting.delete(place);
      return memory.look(name, ask);
    });
    waiting.set(place, turn);
    turn.catch(() => {
      if (waiting.get(place) === turn) waiting.delete(place);
    });
    return turn;
  };

  return {
    find: async (name, { hash, from }, ask) => {
      const whole = wholeOf(name, hash);
      const look = async () =>
        memory.known(name) ?? (good.has(whole) ? memory.look(name, ask) : askInTurn(name, from, ask));
      // Before anything is done for whoever calls: of a call that ends here nothing is recorded.
      const found = await orUndone(look);
      if (found && sameHash(found.hash, hash)) good.set(whole, true);
      else good.delete(whole);
      return found;
    },
    inTurn: (name, { hash, from }, work) =>
      good.has(wholeOf(name, hash)) ? work() : gate(strangerFrom(from, name), work),
    forget: memory.forget,
  };
};
