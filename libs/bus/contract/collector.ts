import type { Bus, ConsumeOptions, Delivered } from '../port.ts';

export type Collector = {
  /** Everything that a handler returned for, in the order of its handling. */
  readonly seen: readonly Delivered[];
  readonly until: (holds: (seen: readonly Delivered[]) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Only so that a test that fails says more than that it took too long. */
const PATIENCE_MS = 60_000;

/** What a handler does before it takes a batch in; a throw makes it a handler that fails. */
export type Mood = (messages: readonly Delivered[]) => void;

/** Consumes into a list; `until` waits for the list, not for the clock. */
export const collect = async (bus: Bus, options: Omit<ConsumeOptions, 'onBatch'>, mood?: Mood): Promise<Collector> => {
  const seen: Delivered[] = [];
  const waiting = new Set<() => void>();
  const consumer = await bus.consume({
    ...options,
    onBatch: async (messages) => {
      mood?.(messages);
      seen.push(...messages);
      for (const look of waiting) look();
    },
  });
  const until: Collector['until'] = (holds) =>
    new Promise((resolve, reject) => {
      const seenBefore = seen.length;
      const overdue = setTimeout(() => {
        waiting.delete(look);
        const distinct = new Set(seen.map(({ id }) => id)).size;
        reject(
          new Error(`Waited in vain: ${seenBefore} messages before, ${seen.length} now, ${distinct} of them distinct`),
        );
      }, PATIENCE_MS).unref();
      const look = (): void => {
        if (!holds(seen)) return;
        waiting.delete(look);
        clearTimeout(overdue);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { seen, until, stop: consumer.stop };
};
