import type { ClaimOptions } from './claim.ts';

export type Limits = {
  /** Attempts under way at one time, on this instance. */
  readonly total: number;
  /** Of these to one endpoint that answers well. */
  readonly perEndpoint: number;
  /** Part of the total that endpoints may hold which failed the last time. */
  readonly doubtfulShare: number;
};

export const defaultLimits: Limits = { total: 256, perEndpoint: 8, doubtfulShare: 0.5 };

export type Room = Omit<ClaimOptions, 'leaseMs'>;

/**
 * Who may have how many attempts under way. An endpoint shows by a good answer that it is worth its full number; until
 * then, and again after a failure, it has one at a time. All that failed hold a part only, so that however many
 * endpoints hang, there is always room for those that work and for those that nobody knows yet.
 */
export type Slots = {
  readonly room: () => Room;
  readonly take: (endpoint: string) => void;
  readonly free: (endpoint: string, answeredWell: boolean) => void;
  readonly inFlight: () => number;
};

export const createSlots = ({ total, perEndpoint, doubtfulShare }: Limits): Slots => {
  const busy = new Map<string, number>();
  const proven = new Set<string>();
  const doubtful = new Set<string>();
  let inFlight = 0;

  const busyAt = (endpoint: string): number => busy.get(endpoint) ?? 0;
  const roomAt = (endpoint: string): number => Math.max(0, (proven.has(endpoint) ? perEndpoint : 1) - busyAt(endpoint));

  return {
    room: () => {
      const held = [...doubtful].reduce((sum, endpoint) => sum + busyAt(endpoint), 0);
      return {
        room: total - inFlight,
        roomOf: new Map([...new Set([...busy.keys(), ...proven])].map((endpoint) => [endpoint, roomAt(endpoint)])),
        doubtful: [...doubtful].filter((endpoint) => busyAt(endpoint) === 0),
        roomOfDoubtful: Math.max(0, Math.floor(total * doubtfulShare) - held),
      };
    },
    take: (endpoint) => {
      busy.set(endpoint, busyAt(endpoint) + 1);
      inFlight += 1;
    },
    free: (endpoint, answeredWell) => {
      const left = busyAt(endpoint) - 1;
      if (left > 0) busy.set(endpoint, left);
      else busy.delete(endpoint);
      const [now, before] = answeredWell ? [proven, doubtful] : [doubtful, proven];
      now.add(endpoint);
      before.delete(endpoint);
      inFlight -= 1;
    },
    inFlight: () => inFlight,
  };
};
