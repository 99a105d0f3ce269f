import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from './limits.ts';
import { createSlots, type Slots, type Started } from './slots.ts';
import type { Addressed } from './standings.ts';

const STEP_MS = 20;
const TIME_LIMIT_MS = 30_000;
const QUICK_MS = 20;

type Attempt = { readonly started: Started; readonly sinceMs: number; readonly hangs: boolean };

/** Answers two at once, then nothing for most of a time limit, and so on. */
const createWave = () => {
  let [well, until] = [0, 0];
  return (nowMs: number): boolean => {
    if (until > 0 && nowMs > until) [well, until] = [0, 0];
    well += 1;
    if (well > 2) until ||= nowMs + 26_000;
    return well > 2;
  };
};

/** What is under way, of which each is told to the slots when it hangs and when it ends. */
const createStreet = (slots: Slots) => {
  let underWay: readonly Attempt[] = [];
  const grow = ({ started, sinceMs, hangs }: Attempt, nowMs: number): boolean => {
    const age = nowMs - sinceMs;
    if (hangs && age === defaultLimits.quickMs + STEP_MS) started.hang();
    const isOver = age >= (hangs ? TIME_LIMIT_MS : QUICK_MS);
    if (isOver) started.free(hangs ? 'failed' : 'quick');
    return !isOver;
  };
  return {
    pass: (nowMs: number): void => {
      underWay = underWay.filter((attempt) => grow(attempt, nowMs));
    },
    begin: (delivery: Addressed, hangs: boolean, nowMs: number): void => {
      slots.take(delivery);
      underWay = [...underWay, { started: slots.start(delivery), sinceMs: nowMs, hangs }];
    },
  };
};

/**
 * Affiliates whose endpoints always have something waiting and hang in waves, and one with an endpoint that answers each
 * webhook at once and is told something every tenth of a second. Returns how long each of its webhooks waited, and the
 * most attempts under way.
 */
const simulate = ({ affiliates, endpoints, seconds }: { affiliates: number; endpoints: number; seconds: number }) => {
  const slots = createSlots(defaultLimits);
  const street = createStreet(slots);
  const hostile = Array.from({ length: affiliates * endpoints }, (_, n) => ({
    ...{ endpoint: `hostile ${n}`, owner: 2 + (n % affiliates) },
    hangs: createWave(),
  }));
  const good = { endpoint: 'good', owner: 1 };
  const [waits, waiting]: [number[], number[]] = [[], []];
  let most = 0;

  const tellGood = (nowMs: number): void => {
    if (nowMs % 100 === 0) waiting.push(nowMs);
    const [dueMs] = waiting;
    if (dueMs === undefined || !slots.mayStart(good)) return;
    street.begin(good, false, nowMs);
    waits.push(nowMs - dueMs);
    waiting.shift();
  };
  for (let nowMs = 0; nowMs < seconds * 1_000; nowMs += STEP_MS) {
    street.pass(nowMs);
    for (const one of hostile) if (slots.mayStart(one)) street.begin(one, one.hangs(nowMs), nowMs);
    tellGood(nowMs);
    most = Math.max(most, slots.inFlight());
  }
  return { waits: [...waits, ...waiting.map((dueMs) => seconds * 1_000 - dueMs)].toSorted((a, b) => a - b), most };
};

const at = (share: number, sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

describe('endpoints that answer well and hang by turns', () => {
  it.each([40, 300])(
    'of one affiliate, %d of them, keep nobody else waiting, and hold what one may have',
    (endpoints) => {
      const { waits, most } = simulate({ affiliates: 1, endpoints, seconds: 70 });
      expect(waits).toHaveLength(700);
      expect(waits.at(-1)).toBe(0);
      expect(most).toBeLessThanOrEqual(2 * defaultLimits.total + 1);
    },
  );

  it.each([3, 12])('of %d affiliates together keep nobody waiting either', (affiliates) => {
    const { waits } = simulate({ affiliates, endpoints: 40, seconds: 40 });
    expect(at(0.9, waits)).toBe(0);
    expect(waits.at(-1)).toBeLessThanOrEqual(100);
  });
});
