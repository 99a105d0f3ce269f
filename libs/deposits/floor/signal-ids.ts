/**
 * Which signals are part of a history: in a few sets, each larger than all after it. One set would be copied for every
 * event, which for a history of thousands is millions of entries.
 */
export type SignalIds = readonly ReadonlySet<string>[];

export const noSignalIds: SignalIds = [];

export const hasSignalId = (ids: SignalIds, id: string): boolean => ids.some((part) => part.has(id));

const withPart = (ids: SignalIds, part: ReadonlySet<string>): SignalIds => {
  const last = ids.at(-1);
  return last && last.size <= part.size ? withPart(ids.slice(0, -1), new Set([...last, ...part])) : [...ids, part];
};

export const withSignalId = (ids: SignalIds, id: string): SignalIds => withPart(ids, new Set([id]));
