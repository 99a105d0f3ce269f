import { withinTime } from '../pause/index.ts';
import { reasonOf } from '../reason/index.ts';

export type CheckResult = { readonly name: string; readonly ok: boolean; readonly detail?: string };

export type Readiness = { readonly ready: boolean; readonly checks: readonly CheckResult[] };

export type Health = {
  /** `check` resolves when what it names can serve; its rejection is the detail. Returns how to take it back. */
  readonly addCheck: (name: string, check: () => Promise<unknown>) => () => void;
  readonly readiness: () => Promise<Readiness>;
  /** From here on not ready, so that nobody sends new requests. */
  readonly startStopping: () => void;
};

type Check = { readonly name: string; readonly check: () => Promise<unknown> };

/** One question at a time: what hangs is waited for by everybody who asks meanwhile, not asked again and again. */
const oneAtATime = (check: () => Promise<unknown>): (() => Promise<unknown>) => {
  let running: Promise<unknown> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
};

const resultOf = async ({ name, check }: Check, ms: number): Promise<CheckResult> => {
  try {
    await withinTime(check(), ms);
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, detail: reasonOf(error) };
  }
};

export const createHealth = ({ timeoutMs = 2_000 }: { readonly timeoutMs?: number } = {}): Health => {
  const checks = new Set<Check>();
  let stopping = false;
  return {
    addCheck: (name, check) => {
      const added = { name, check: oneAtATime(check) };
      checks.add(added);
      return () => {
        checks.delete(added);
      };
    },
    readiness: async () => {
      if (stopping) return { ready: false, checks: [{ name: 'process', ok: false, detail: 'shutting down' }] };
      const results = await Promise.all([...checks].map((check) => resultOf(check, timeoutMs)));
      return { ready: results.every(({ ok }) => ok), checks: results };
    },
    startStopping: () => {
      stopping = true;
    },
  };
};
