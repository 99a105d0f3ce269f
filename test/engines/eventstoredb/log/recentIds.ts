export type Known = { readonly stream: string; readonly revision: number };

export type RecentIds = {
  find(id: string): Known | undefined;
  remember(id: string, stream: string, revision: number): void;
};

const LIMIT_BYTES = 8 * 1024 * 1024;
const sizeOf = (stream: string) => 28 + 2 * stream.length;

/**
 * What ANY knows of earlier appends: the ids written since the start, the oldest forgotten first.
 * The first use of an id stays the known one, so ANY does not recognise it in a second stream.
 */
export const createRecentIds = (limit = LIMIT_BYTES): RecentIds => {
  const known = new Map<string, Known>();
  let bytes = 0;
  const forgetOldest = () => {
    for (const [id, { stream }] of known) {
      if (bytes <= limit) return;
      known.delete(id);
      bytes -= sizeOf(stream);
    }
  };
  return {
    find: (id) => known.get(id),
    remember: (id, stream, revision) => {
      if (known.has(id)) return;
      known.set(id, { stream, revision });
      bytes += sizeOf(stream);
      if (bytes > limit) forgetOldest();
    },
  };
};
