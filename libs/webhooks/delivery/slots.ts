import type { ClaimOptions } from './claim.ts';

export type Limits = {
  /** Attempts under way at one time, on this instance. */
  readonly total: number;
  /** Of these to one endpoint that answers well. */
  readonly perEndpoint: number;
  /** Part of the total for all endpoints together that failed or were slow the last time. */
  readonly doubtfulShare: number;
  /** A good answer that takes longer is a slow one. */
  readonly quickMs: number;
};

export const defaultLimits: Limits = { total: 256, perEndpoint: 8, doubtfulShare: 0.5, quickMs: 2_000 };

/** How an endpoint answered. */
export type Manner = 'quick' | 'slow' | 'failed';

export type Room = Omit<ClaimOptions, 'leaseMs'>;

/**
 * Who may have how many attempts under way. An endpoint shows by a good answer that it is worth its full number; until
 * then, and again after a failure, it has one at a time. All that failed or are slow hold a part only, so that however
 * many endpoints hang, there is always room for those that are quick and for those that nobody knows yet.
 */
export type Slots = {
  readonly room: () => Room;
  readonly take: (endpoint: string) => void;
  readonly free: (endpoint: string, manner: Manner) => void;
  readonly inFlight: () => number;
};

export const createSlots = ({ total, perEndpoint, doubtfulShare }: Omit<Limits, 'quickMs'>): Slots => {
  const busy = new Map<string, number>();
  const manners = new Map<string, Manner>();
  let inFlight = 0;

  const busyAt = (endpoint: string): number => busy.get(endpoint) ?? 0;
  const known = (...wanted: readonly Manner[]): readonly string[] =>
    [...manners].filter(([, manner]) => wanted.includes(manner)).map(([endpoint]) => endpoint);
  const limitOf = (endpoint: string): number => (manners.get(endpoint) === 'failed' ? 1 : perEndpoint);
  const roomAt = (endpoint: string): number =>
    manners.get(endpoint) === 'quick' ? Math.max(0, perEndpoint - busyAt(endpoint)) : 0;

  return {
    room: () => {
      const doubtful = known('slow', 'failed');
      const held = doubtful.reduce((sum, endpoint) => sum + busyAt(endpoint), 0);
      const named = new Set([...busy.keys(), ...known('quick')]);
      return {
        room: total - inFlight,
        roomOf: new Map([...named].map((endpoint) => [endpoint, roomAt(endpoint)])),
        doubtful: doubtful.filter((endpoint) => busyAt(endpoint) < limitOf(endpoint)),
        roomOfDoubtful: Math.max(0, Math.floor(total * doubtfulShare) - held),
      };
    },
    take: (endpoint) => {
      busy.set(endpoint, busyAt(endpoint) + 1);
      inFlight += 1;
    },
    free: (endpoint, manner) => {
      const left = busyAt(endpoint) - 1;
      if (left > 0) busy.set(endpoint, left);
      else busy.delete(endpoint);
      manners.set(endpoint, manner);
      inFlight -= 1;
    },
    inFlight: () => inFlight,
  };
};
