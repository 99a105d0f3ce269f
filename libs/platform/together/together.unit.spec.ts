import { describe, expect, it } from '@jest/globals';
import { together } from './index.ts';

/** Doubles what it is asked, once the test lets it. */
const held = () => {
  const calls: { readonly asked: readonly number[]; readonly go: () => void }[] = [];
  const answer = async (asked: readonly number[]): Promise<readonly number[]> => {
    await new Promise<void>((go) => {
      calls.push({ asked, go });
    });
    return asked.map((n) => n * 2);
  };
  const called = async (count: number): Promise<void> => {
    while (calls.length < count) await new Promise(setImmediate);
  };
  return { answer, calls, called };
};

describe('those who ask at the same time', () => {
  it('share the next call, and each gets its own answer', async () => {
    const { answer, calls, called } = held();
    const ask = together(answer);
    const first = ask(1);
    await called(1);
    const others = [ask(2), ask(3)];
    calls[0]?.go();
    await called(2);
    calls[1]?.go();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
    expect(calls.map(({ asked }) => asked)).toEqual([[1], [2, 3]]);
  });

  it('are no more in a call than it takes', async () => {
    const { answer, calls, called } = held();
    const ask = together(answer, { most: 2, lanes: 2 });
    const all = [ask(1), ask(2), ask(3)];
    await called(2);
    for (const { go } of calls) go();
    expect(await Promise.all(all)).toEqual([2, 4, 6]);
    expect(calls.map(({ asked }) => asked.length)).toEqual([2, 1]);
  });

  it('all hear of a failure, and the next are answered again', async () => {
    let fails = true;
    const ask = together(async (asked: readonly number[]) => {
      if (fails) throw new Error('no answer');
      return asked;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask(3)).toBe(3);
  });
});
