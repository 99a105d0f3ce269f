/** Bytes of bodies that are kept at once for all who call: what an instance of 512 MB can spare. */
export const MOST_KEPT = 64 * 1_048_576;

/** Of those, for one address: no engine or operator sends sixteen of the largest bodies at once. */
export const MOST_OF_ONE = 16 * 1_048_576;

/** Of each body, not counted: a connection takes more, and no ordinary body of a partner is larger. */
export const FREE_BYTES = 4_096;

export type BodyRoom = {
  /** Whether there is room for one body that grew so far. */
  readonly grow: (bytes: number) => boolean;
  readonly leave: () => void;
};

type Limits = { readonly most: number; readonly mostOfOne: number };

/**
 * Whoever shows no credential can begin a body too, and let it wait: kept are so many bytes of all that are unfinished, or
 * whose answer is still to come.
 */
export const createBodyRooms = ({ most, mostOfOne }: Limits = { most: MOST_KEPT, mostOfOne: MOST_OF_ONE }) => {
  const keptOf = new Map<string, number>();
  let kept = 0;
  const add = (address: string, bytes: number): void => {
    kept += bytes;
    const ofOne = (keptOf.get(address) ?? 0) + bytes;
    if (ofOne > 0) keptOf.set(address, ofOne);
    else keptOf.delete(address);
  };
  return {
    kept: (): number => kept,
    enter: (address: string): BodyRoom => {
      let [counted, left] = [0, false];
      return {
        grow: (bytes) => {
          const more = Math.max(0, bytes - FREE_BYTES) - counted;
          if (more <= 0) return true;
          if (left || kept + more > most || (keptOf.get(address) ?? 0) + more > mostOfOne) return false;
          counted += more;
          add(address, more);
          return true;
        },
        leave: () => {
          left = true;
          add(address, -counted);
          counted = 0;
        },
      };
    },
  };
};
