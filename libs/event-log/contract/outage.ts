import { describe, expect, it } from '@jest/globals';
import { LogUnavailable, OutcomeUnknown } from '../errors.ts';
import { all, anEvent, aStream, refusalOf, type Suite } from './harness.ts';
import { from, watch } from './subscribing.ts';

/** "The following fail within 100 ms"; the rest is for a machine that has other things to do. */
const AT_ONCE_MS = 100;

const timed = async (call: Promise<unknown>): Promise<{ readonly error: unknown; readonly ms: number }> => {
  const start = performance.now();
  const error = await refusalOf(call);
  return { error, ms: performance.now() - start };
};

/** Asks until it is answered. */
const untilAnswered = async (ask: () => Promise<unknown>): Promise<void> => {
  while (
    !(await ask().then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
};

export const outages = (suite: Suite): void => {
  const { log, server } = suite;

  describe('a log that does not answer', () => {
    it('is waited for once: what follows fails at once, until it answers again', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [anEvent()]);
      const shaky = await server().open({ shaky: true, patienceMs: 500 });
      await all(shaky.read(stream));
      server().hold();
      expect(await refusalOf(all(shaky.read(stream)))).toBeInstanceOf(LogUnavailable);
      const following = [() => all(shaky.read(stream)), () => shaky.head(), () => shaky.append(stream, 0, [anEvent()])];
      for (const call of following) {
        const { error, ms } = await timed(call());
        expect(error).toBeInstanceOf(LogUnavailable);
        expect(error).not.toBeInstanceOf(OutcomeUnknown);
        expect(ms).toBeLessThan(AT_ONCE_MS);
      }
      server().cut();
      await untilAnswered(() => shaky.head());
      expect(await all(shaky.read(stream))).toHaveLength(1);
      expect(await shaky.append(stream, 0, [anEvent()])).toMatchObject({ revision: 1 });
    }, 30_000);

    it('is followed again by itself, from where it was', async () => {
      const stream = aStream();
      const shaky = await server().open({ shaky: true, patienceMs: 500 });
      const watching = watch(shaky, await from(log()));
      await log().append(stream, 'no_stream', [anEvent()]);
      await watching.until({ count: 1 });
      server().hold();
      await refusalOf(shaky.head());
      await log().append(stream, 0, [anEvent()]);
      server().cut();
      await watching.until({ count: 2 });
      await watching.stop();
      expect(watching.seen.map(({ revision }) => revision)).toEqual([0, 1]);
    }, 30_000);
  });
};
