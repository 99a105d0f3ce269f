import { setTimeout as sleep } from 'node:timers/promises';

/** What a real server was seen to do to a client. Zero or false is off. */
export type Faults = {
  /** Every call is handled this much later. */
  readonly delayMs: number;
  /** Appends and deletions are written, their answers wait until this is switched off. */
  readonly holdAnswers: boolean;
  /** The n-th append from now on is written and then answered with UNAVAILABLE. */
  readonly failAppend: number;
  /** For this long from now on, calls are refused with "Server Is Not Ready". */
  readonly notReadyMs: number;
  /** An append takes this long to commit; a repeat in the meantime runs into the time limit below. */
  readonly commitMs: number;
  readonly commitTimeoutMs: number;
  /** Live events that may come while a subscriber does not take what was sent; one more, and it is dropped. */
  readonly liveBuffer: number;
};

export const NO_FAULTS: Faults = {
  delayMs: 0,
  holdAnswers: false,
  failAppend: 0,
  notReadyMs: 0,
  commitMs: 0,
  commitTimeoutMs: 2000,
  liveBuffer: 0,
};

export type FaultSwitches = {
  current(): Faults;
  /** Changes the switches named, the others stay. */
  set(change: Partial<Faults>): Faults;
  reset(): Faults;
  /** How many subscribers were dropped since they were too slow. */
  dropped(): number;
};

/** The same switches from the server's side. */
export type FaultState = FaultSwitches & {
  isReady(): boolean;
  delayed(): Promise<unknown> | undefined;
  losesThisAnswer(): boolean;
  drop(): void;
  answersReleased(): Promise<void> | undefined;
};

const isFault = (name: string): name is keyof Faults => Object.hasOwn(NO_FAULTS, name);

/** Switches also come over the control port: a misspelt one must not pass for a fault that has no effect. */
const checked = (change: object): Partial<Faults> => {
  for (const [name, value] of Object.entries(change)) {
    if (!isFault(name)) throw new Error(`no fault ${name}: there are ${Object.keys(NO_FAULTS).join(', ')}`);
    const wanted = typeof NO_FAULTS[name];
    if (typeof value !== wanted || value < 0) throw new Error(`${name} takes a ${wanted}, zero or more: ${value}`);
  }
  return change;
};

export const createFaults = (initial: Partial<Faults> = {}): FaultState => {
  let faults = NO_FAULTS;
  let readyAt = 0;
  let appendsLeft = 0;
  let dropped = 0;
  let released: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const set = (change: Partial<Faults>) => {
    faults = { ...faults, ...checked(change) };
    if (change.notReadyMs !== undefined) readyAt = Date.now() + change.notReadyMs;
    if (change.failAppend !== undefined) appendsLeft = change.failAppend;
    if (faults.holdAnswers) released ??= Promise.withResolvers<void>();
    else {
      released?.resolve();
      released = undefined;
    }
    return faults;
  };
  set(initial);

  return {
    current: () => faults,
    set,
    reset: () => set(NO_FAULTS),
    isReady: () => Date.now() >= readyAt,
    delayed: () => (faults.delayMs > 0 ? sleep(faults.delayMs) : undefined),
    losesThisAnswer: () => appendsLeft > 0 && --appendsLeft === 0,
    answersReleased: () => released?.promise,
    drop: () => {
      dropped++;
    },
    dropped: () => dropped,
  };
};
