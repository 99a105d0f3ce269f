import { endsWithin } from '../pause/index.ts';
import { reasonOf } from '../reason/index.ts';

export type CheckResult = { readonly name: string; readonly ok: boolean; readonly detail?: string };

/** `at first`: once it was there, its absence is told and is no reason against readiness any more. */
export type Needed = 'always' | 'at first';

/** How long an answer is waited for: of what is needed, and of what is needed no more. */
export type Patience = { readonly timeoutMs: number; readonly brieflyMs: number };

export type Check = {
  readonly result: () => Promise<CheckResult>;
  readonly isNeeded: () => boolean;
};

/** One question at a time: what hangs is waited for by everybody who asks meanwhile, not asked again and again. */
export const oneAtATime = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
};

const answerTo = async (name: string, check: () => Promise<unknown>): Promise<CheckResult> => {
  try {
    await check();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, detail: reasonOf(error) };
  }
};

/**
 * What is needed no more keeps nobody waiting, or whoever asks would take an instance out for what it can do without: it
 * is told as it answered last, until the question that is under way has had all of its time.
 */
export const checkOf = (
  name: string,
  check: () => Promise<unknown>,
  { needed, timeoutMs, brieflyMs }: Patience & { readonly needed: Needed },
): Check => {
  let held = false;
  let last: CheckResult | undefined;
  let askedAt = 0;
  const ask = oneAtATime(async () => {
    askedAt = performance.now();
    last = await answerTo(name, check);
    held ||= last.ok;
    return last;
  });
  const isNeeded = (): boolean => needed === 'always' || !held;
  const result = async (): Promise<CheckResult> => {
    const [answer, briefly] = [ask(), !isNeeded()];
    if (await endsWithin(answer, briefly ? Math.min(brieflyMs, timeoutMs) : timeoutMs)) return answer;
    if (briefly && last && performance.now() - askedAt < timeoutMs) return last;
    return { name, ok: false, detail: `no answer within ${timeoutMs} ms` };
  };
  return { result, isNeeded };
};
