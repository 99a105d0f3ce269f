import { LRUCache } from 'lru-cache';

export type MemoryOptions = { readonly ttlMs?: number; readonly max?: number; readonly now?: () => number };

export type Memory<Answer> = {
  /** What is remembered under `name`, else what `ask` says, which is then remembered. */
  readonly look: (name: string, ask: () => Promise<Answer>) => Promise<Answer>;
  /** The same, where nobody need be asked. */
  readonly known: (name: string) => Promise<Answer> | undefined;
  /** After a change: the next look asks. */
  readonly forget: () => void;
};

type Asked<Answer> = { readonly at: number; readonly answer: Promise<Answer> };

/** "On the others within a second", also when the notice of a change gets lost on its way. */
const TTL_MS = 750;

/**
 * Spares the database a question per request. What is remembered is as old as the question that fetched it, so
 * nothing is believed longer than the time to live. That something is unknown is remembered too; a failure is not.
 */
export const createMemory = <Answer>(options: MemoryOptions = {}): Memory<Answer> => {
  const { ttlMs = TTL_MS, max = 10_000, now = () => performance.now() } = options;
  const memory = new LRUCache<string, Asked<Answer>>({ max });
  const known = (name: string): Promise<Answer> | undefined => {
    const asked = memory.get(name);
    return asked && now() - asked.at < ttlMs ? asked.answer : undefined;
  };
  return {
    known,
    look: (name, ask) => {
      const before = known(name);
      if (before !== undefined) return before;
      const asked: Asked<Answer> = { at: now(), answer: ask() };
      memory.set(name, asked);
      asked.answer.catch(() => {
        if (memory.peek(name) === asked) memory.delete(name);
      });
      return asked.answer;
    },
    forget: () => memory.clear(),
  };
};
