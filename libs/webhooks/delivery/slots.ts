import type { ClaimOptions } from './claim.ts';
import type { ExposureLimits } from './exposure.ts';

export type Limits = {
  /** Attempts under way at one time, on this instance. */
  readonly total: number;
  /** Of these to one endpoint that answers well. */
  readonly perEndpoint: number;
  /** How many times these numbers may wait here, already claimed, so that no slot waits for the database. */
  readonly ahead: number;
  /** Part of the total for all endpoints together that failed or were slow the last time. */
  readonly doubtfulShare: number;
  /** A good answer that takes longer is a slow one. */
  readonly quickMs: number;
  /** What a kill may send again. */
  readonly exposure: ExposureLimits;
};

export const defaultLimits: Limits = {
  total: 256,
  perEndpoint: 8,
  ahead: 5,
  doubtfulShare: 0.5,
  quickMs: 2_000,
  exposure: { most: 100, youngMs: 50 },
};

/** How an endpoint answered. */
export type Manner = 'quick' | 'slow' | 'failed';

export type Room = Omit<ClaimOptions, 'leaseMs' | 'life'>;

/**
 * Who may have how many attempts under way. An endpoint shows by a good answer that it is worth its full number; until
 * then, and again after a failure, it has one at a time. All that failed or are slow hold a part only, so that however
 * many endpoints hang, there is always room for those that are quick and for those that nobody knows yet. Only for those
 * that are quick is more claimed than can start at once.
 */
export type Slots = {
  readonly room: () => Room;
  /** Claimed: from now on it counts, whether it starts at once or waits here. */
  readonly take: (endpoint: string) => void;
  readonly mayStart: (endpoint: string) => boolean;
  /** Whoever starts next takes the place of another. */
  readonly isFull: () => boolean;
  readonly start: (endpoint: string) => void;
  /** Answered; undefined: it was not asked. */
  readonly free: (endpoint: string, manner: Manner | undefined) => void;
  /** Given back without having been started. */
  readonly untake: (endpoint: string) => void;
  readonly isQuick: (endpoint: string) => boolean;
  readonly inFlight: () => number;
};

/** Counts by name, without an entry for nought. */
const createTally = () => {
  const counts = new Map<string, number>();
  let sum = 0;
  return {
    at: (name: string): number => counts.get(name) ?? 0,
    sum: (): number => sum,
    names: (): Iterable<string> => counts.keys(),
    size: (): number => counts.size,
    add: (name: string, by: 1 | -1): void => {
      const count = (counts.get(name) ?? 0) + by;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
      sum += by;
    },
  };
};

export const createSlots = ({
  total,
  perEndpoint,
  ahead,
  doubtfulShare,
}: Omit<Limits, 'quickMs' | 'exposure'>): Slots => {
  const [taken, started] = [createTally(), createTally()];
  const manners = new Map<string, Manner>();

  const isFull = (): boolean => started.sum() >= total;
  const isQuick = (endpoint: string): boolean => manners.get(endpoint) === 'quick';
  const known = (...wanted: readonly Manner[]): readonly string[] =>
    [...manners].filter(([, manner]) => wanted.includes(manner)).map(([endpoint]) => endpoint);
  const limitOf = (endpoint: string): number => {
    const manner = manners.get(endpoint);
    return manner === undefined || manner === 'failed' ? 1 : perEndpoint;
  };
  /** The more endpoints have something here, the less is kept ahead for each, so that many are served side by side. */
  const mostForQuick = (): number => {
    const share = Math.floor((total * (1 + ahead)) / Math.max(1, taken.size()));
    return Math.min(perEndpoint * (1 + ahead), Math.max(perEndpoint, share));
  };

  return {
    room: () => {
      const doubtful = known('slow', 'failed');
      const held = doubtful.reduce((sum, endpoint) => sum + taken.at(endpoint), 0);
      const named = new Set([...taken.names(), ...known('quick')]);
      const most = mostForQuick();
      const roomAt = (endpoint: string): number => (isQuick(endpoint) ? Math.max(0, most - taken.at(endpoint)) : 0);
      return {
        room: total * (1 + ahead) - taken.sum(),
        roomOf: new Map([...named].map((endpoint) => [endpoint, roomAt(endpoint)])),
        doubtful: doubtful.filter((endpoint) => taken.at(endpoint) < limitOf(endpoint)),
        roomOfDoubtful: Math.max(0, Math.floor(total * doubtfulShare) - held),
        // At least one: it waits here for its turn, however busy those are that are known.
        roomOfNew: Math.max(1, total - started.sum()),
      };
    },
    take: (endpoint) => taken.add(endpoint, 1),
    mayStart: (endpoint) => !isFull() && started.at(endpoint) < limitOf(endpoint),
    isFull,
    start: (endpoint) => started.add(endpoint, 1),
    free: (endpoint, manner) => {
      taken.add(endpoint, -1);
      started.add(endpoint, -1);
      if (manner) manners.set(endpoint, manner);
    },
    untake: (endpoint) => taken.add(endpoint, -1),
    isQuick,
    inFlight: started.sum,
  };
};
