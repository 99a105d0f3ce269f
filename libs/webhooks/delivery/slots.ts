export type Limits = {
  /** Attempts under way at one time, on this instance. */
  readonly total: number;
  /** Of these to one endpoint that answers well. */
  readonly perEndpoint: number;
  /** Part of the total that endpoints may hold which have not answered well the last time, or never yet. */
  readonly doubtfulShare: number;
};

export const defaultLimits: Limits = { total: 256, perEndpoint: 8, doubtfulShare: 0.5 };

export type Room = { readonly room: number; readonly roomOf: ReadonlyMap<string, number>; readonly others: number };

/**
 * Who may have how many attempts under way. An endpoint shows by a good answer that it is worth its full number; until
 * then, and again after a failure, it has one at a time. All doubtful ones together hold a part only, so that however
 * many endpoints hang, there is always room for those that work.
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
  let inFlight = 0;

  const doubtfulInFlight = (): number =>
    [...busy].reduce((sum, [endpoint, count]) => (proven.has(endpoint) ? sum : sum + count), 0);

  const roomAt = (endpoint: string): number =>
    Math.max(0, (proven.has(endpoint) ? perEndpoint : 1) - (busy.get(endpoint) ?? 0));

  return {
    room: () => {
      const room = total - inFlight;
      const named = new Set([...busy.keys(), ...proven]);
      const others = Math.max(0, Math.floor(total * doubtfulShare) - doubtfulInFlight());
      return { room, roomOf: new Map([...named].map((endpoint) => [endpoint, roomAt(endpoint)])), others };
    },
    take: (endpoint) => {
      busy.set(endpoint, (busy.get(endpoint) ?? 0) + 1);
      inFlight += 1;
    },
    free: (endpoint, answeredWell) => {
      const left = (busy.get(endpoint) ?? 1) - 1;
      if (left === 0) busy.delete(endpoint);
      else busy.set(endpoint, left);
      if (answeredWell) proven.add(endpoint);
      else proven.delete(endpoint);
      inFlight -= 1;
    },
    inFlight: () => inFlight,
  };
};
