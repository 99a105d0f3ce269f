import type { Limits } from './limits.ts';
import { moreOf, type Places } from './places.ts';
import type { Addressed, Kind, Standings } from './standings.ts';
import { createTally, type Tally } from './tally.ts';

/** An endpoint that something is here of, or was. */
export type KnownEndpoint = {
  readonly owner: number;
  /** It is quick: so many more are taken of it. */
  readonly ahead: number;
  /** It failed, was slow or hangs: one more may be tried. */
  readonly once: boolean;
};

/** How many more deliveries an affiliate may have here, by what is expected of their endpoints. */
export type Part = Readonly<Record<Kind, number>>;

/** What may be claimed. */
export type Room = {
  /** Most deliveries. */
  readonly room: number;
  /** An endpoint that is not here is new, and gets one. */
  readonly known: ReadonlyMap<string, KnownEndpoint>;
  readonly parts: ReadonlyMap<number, Part>;
  /** Of an affiliate that has nothing here. */
  readonly partOfOthers: Part;
};

export type RoomParts = {
  readonly limits: Pick<Limits, 'total' | 'perEndpoint' | 'ahead'>;
  readonly taken: Tally<string>;
  readonly started: Tally<string>;
  readonly takenBy: Tally<number>;
  readonly owners: ReadonlyMap<string, number>;
  readonly standings: Standings;
  readonly places: Places;
  readonly limitOf: (delivery: Addressed) => number;
};

/** What is here and has not started, by its kind and its affiliate. */
const countWaiting = ({ taken, started, owners, standings }: RoomParts) => {
  const [waiting, endpointsOf] = [
    { quick: createTally<number>(), fresh: createTally<number>(), doubtful: createTally<number>() },
    createTally<number>(),
  ];
  for (const endpoint of taken.names()) {
    const owner = owners.get(endpoint) ?? 0;
    endpointsOf.add(owner, 1);
    waiting[standings.kindOf(endpoint)].add(owner, taken.at(endpoint) - started.at(endpoint));
  }
  return { waiting, endpointsOf };
};

type Counted = ReturnType<typeof countWaiting>;

const partOf = ({ limits, takenBy, places }: RoomParts, { waiting }: Counted, memory: number, owner: number): Part => {
  const least = limits.perEndpoint;
  const toStart = (kind: 'fresh' | 'doubtful'): number => {
    const here = places.held(kind, owner) + waiting[kind].at(owner);
    return moreOf({ here, free: places.free(kind) - waiting[kind].sum(), least });
  };
  const quick = moreOf({ here: takenBy.at(owner), free: memory - takenBy.sum(), least });
  return { quick, fresh: toStart('fresh'), doubtful: toStart('doubtful') };
};

/** Nobody's number: whoever has nothing here is like it. */
const NOBODY = -1;

/**
 * What is claimed is shared like the places: of what may be here, and of what may wait for a place of its kind, an
 * affiliate has as much as it leaves free.
 */
export const createRoom = (parts: RoomParts) => (): Room => {
  const { limits, taken, takenBy, owners, standings, limitOf } = parts;
  const { total, perEndpoint, ahead } = limits;
  const memory = total * (1 + ahead);
  const counted = countWaiting(parts);
  const partFor = (owner: number): Part => partOf(parts, counted, memory, owner);
  const partsOf = new Map([...new Set(owners.values())].map((owner) => [owner, partFor(owner)]));

  /** The more of its affiliate's endpoints have something here, the less is kept ahead for each. */
  const mostAhead = (owner: number): number => {
    const all = takenBy.at(owner) + (partsOf.get(owner)?.quick ?? 0);
    const share = Math.floor(all / Math.max(1, counted.endpointsOf.at(owner)));
    return Math.min(perEndpoint * (1 + ahead), Math.max(perEndpoint, share));
  };
  const knownOf = (endpoint: string): KnownEndpoint => {
    const owner = owners.get(endpoint) ?? 0;
    const [kind, here] = [standings.kindOf(endpoint), taken.at(endpoint)];
    if (kind === 'quick') return { owner, ahead: Math.max(0, mostAhead(owner) - here), once: false };
    return { owner, ahead: 0, once: kind === 'doubtful' && here < limitOf({ endpoint, owner }) };
  };
  const names = new Set([...taken.names(), ...standings.known()]);
  return {
    room: Math.max(perEndpoint, memory - takenBy.sum()),
    known: new Map([...names].map((endpoint) => [endpoint, knownOf(endpoint)])),
    parts: partsOf,
    partOfOthers: partFor(NOBODY),
  };
};
