import { withinTime } from '../pause/index.ts';
import { type Check, type CheckResult, checkOf, type Needed, oneAtATime, type Patience } from './check.ts';

export type Readiness = {
  readonly ready: boolean;
  readonly checks: readonly CheckResult[];
  /** What somebody has to look at, though everything else can be served. */
  readonly alarms?: readonly string[];
  /** What is weaker than it could be, for as long as the process runs. */
  readonly warnings?: readonly string[];
  readonly simulated?: readonly string[];
};

export type Health = {
  /** `check` resolves when what it names can serve; its rejection is the detail. Returns how to take it back. */
  readonly addCheck: (name: string, check: () => Promise<unknown>, needed?: Needed) => () => void;
  /** What is played and not real: told with every answer, and no reason against readiness. */
  readonly tellSimulated: (ask: () => Promise<readonly string[]>) => void;
  /** Told with every answer until it is calmed; says whether it is news. */
  readonly alarm: (what: string) => boolean;
  /** Told no more; says whether it was. */
  readonly calm: (what: string) => boolean;
  /** Told with every answer, and no reason against readiness. */
  readonly warn: (what: string) => void;
  readonly readiness: () => Promise<Readiness>;
  /** From here on not ready, so that nobody sends new requests. */
  readonly startStopping: () => void;
};

const MOST_ALARMS = 20;

/** The first ones say enough, and how many there are. */
const shortened = (alarms: readonly string[]): readonly string[] => {
  const more = alarms.length - MOST_ALARMS;
  return more > 0 ? [...alarms.slice(0, MOST_ALARMS), `and ${more} more: alerts in the log name each`] : alarms;
};

export const createHealth = ({ timeoutMs = 2_000, brieflyMs = 200 }: Partial<Patience> = {}): Health => {
  const checks = new Set<Check>();
  let simulated: (() => Promise<readonly string[]>) | undefined;
  const alarms = new Set<string>();
  const warnings: string[] = [];
  let stopping = false;
  return {
    addCheck: (name, check, needed = 'always') => {
      const added = checkOf(name, check, { needed, timeoutMs, brieflyMs });
      checks.add(added);
      return () => {
        checks.delete(added);
      };
    },
    tellSimulated: (ask) => {
      simulated = oneAtATime(ask);
    },
    alarm: (what) => {
      const news = !alarms.has(what);
      alarms.add(what);
      return news;
    },
    calm: (what) => alarms.delete(what),
    warn: (what) => {
      warnings.push(what);
    },
    readiness: async () => {
      if (stopping) return { ready: false, checks: [{ name: 'process', ok: false, detail: 'shutting down' }] };
      const told = simulated ? withinTime(simulated(), timeoutMs).catch(() => undefined) : undefined;
      const asked = [...checks];
      const results = await Promise.all(asked.map(({ result }) => result()));
      const played = await told;
      return {
        ready: results.every(({ ok }, place) => ok || asked[place]?.isNeeded() === false),
        checks: results,
        ...(alarms.size > 0 && { alarms: shortened([...alarms]) }),
        ...(warnings.length > 0 && { warnings: [...warnings] }),
        ...(played && { simulated: played }),
      };
    },
    startStopping: () => {
      stopping = true;
    },
  };
};
