import { afterEach, describe, expect, it } from '@jest/globals';
import { LogUnavailable, OutcomeUnknown } from './errors.ts';
import { createOutage, type Outage } from './outage.ts';

let outage: Outage;

afterEach(() => outage.end());

const never = (): Promise<never> => new Promise(() => undefined);

describe('what is asked while an append gets no answer', () => {
  it('is left as not asked: that the outcome of that append is unknown is said of it alone', async () => {
    outage = createOutage({ head: never });
    const asked = outage.guardAsking(never).catch((error: unknown) => error);
    const unknown = new OutcomeUnknown('deposit-1', 10_000, new Error('no sign of life'));
    const append = outage.guard(() => Promise.reject(unknown));
    await expect(append).rejects.toBe(unknown);
    const left = await asked;
    expect(left).toBeInstanceOf(LogUnavailable);
    expect(left).not.toBeInstanceOf(OutcomeUnknown);
    await expect(outage.guard(never)).rejects.toEqual(left);
  });
});
