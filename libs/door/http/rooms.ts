export type Room = {
  /** Whether there is room for something that grew so far. */
  readonly grow: (bytes: number) => boolean;
  /** It is all there, or needed: nothing is let go of it any more. */
  readonly settle: () => void;
  readonly leave: () => void;
};

type Limits = {
  readonly most: number;
  readonly mostOfOne: number;
  /** Of the most, for callers who are known alone. */
  readonly forKnown: number;
  /** Of each, not counted: a connection takes more. */
  readonly free: number;
};

type Comer = {
  /** His credential was found good before. */
  readonly isKnown?: boolean;
  /** Ends what is not all there yet: somebody who has less needs the room. */
  readonly letGo?: () => void;
};

type Kept = { bytes: number; letGo: (() => void) | undefined };

type Address = { bytes: number; readonly all: Set<Kept> };

const largestToLetGo = ({ all }: Address): Kept | undefined => {
  let largest: Kept | undefined;
  for (const kept of all) if (kept.letGo && kept.bytes > (largest?.bytes ?? 0)) largest = kept;
  return largest;
};

/**
 * Whoever shows no credential can begin a thing too, and let it wait: kept are so many bytes of all that is unfinished, or
 * whose answer is still to come. Where no room is left, the address that has the most gives some to one that has less:
 * strangers share among them, and shut nobody out.
 */
export const createRooms = ({ most, mostOfOne, forKnown, free }: Limits) => {
  const addresses = new Map<string, Address>();
  let bytesOfAll = 0;

  const add = (address: string, kept: Kept, bytes: number): void => {
    const of = addresses.get(address) ?? { bytes: 0, all: new Set() };
    addresses.set(address, of);
    bytesOfAll += bytes;
    of.bytes += bytes;
    kept.bytes += bytes;
    if (kept.bytes > 0) of.all.add(kept);
    else of.all.delete(kept);
    if (of.all.size === 0) addresses.delete(address);
  };

  const letOneGo = (moreThan: number): boolean => {
    let [mostBytes, found] = [moreThan, undefined as Kept | undefined];
    for (const of of addresses.values()) {
      const largest = of.bytes > mostBytes ? largestToLetGo(of) : undefined;
      if (largest) [mostBytes, found] = [of.bytes, largest];
    }
    const letGo = found?.letGo;
    if (!found || !letGo) return false;
    found.letGo = undefined;
    letGo();
    return true;
  };

  return {
    kept: (): number => bytesOfAll,
    enter: (address: string, { isKnown = false, letGo }: Comer = {}): Room => {
      const kept: Kept = { bytes: 0, letGo: isKnown ? undefined : letGo };
      const limit = isKnown ? most : most - forKnown;
      let left = false;
      const leave = (): void => {
        left = true;
        add(address, kept, -kept.bytes);
      };
      const hasRoom = (more: number): boolean => {
        const wanted = (addresses.get(address)?.bytes ?? 0) + more;
        if (left || wanted > mostOfOne) return false;
        let isLetGo = true;
        while (isLetGo && bytesOfAll + more > limit) isLetGo = letOneGo(wanted);
        return bytesOfAll + more <= limit;
      };
      return {
        grow: (bytes) => {
          const more = Math.max(0, bytes - free) - kept.bytes;
          if (more <= 0) return true;
          if (!hasRoom(more)) return false;
          add(address, kept, more);
          return true;
        },
        settle: () => {
          kept.letGo = undefined;
        },
        leave,
      };
    },
  };
};
