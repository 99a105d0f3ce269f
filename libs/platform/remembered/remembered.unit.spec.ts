import { describe, expect, it } from '@jest/globals';
import { createMemory, remember } from './index.ts';

const counted = () => {
  let [asked, clock, failing] = [0, 0, false];
  const memory = remember(
    async () => {
      asked += 1;
      if (failing) throw new Error('no database');
      return asked;
    },
    { ttlMs: 900, now: () => clock },
  );
  return {
    ...memory,
    pass: (ms: number) => {
      clock += ms;
    },
    fail: (is: boolean) => {
      failing = is;
    },
  };
};

describe('what is remembered', () => {
  it('is asked for once by many at the same time, and again when its time is over', async () => {
    const { get, pass } = counted();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    pass(899);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });

  it('is asked for again after a change, also while an older question is on its way', async () => {
    const { get, forget } = counted();
    const older = get();
    forget();
    expect([await get(), await older, await get()]).toEqual([2, 1, 2]);
  });

  it('is never a failure', async () => {
    const { get, fail } = counted();
    fail(true);
    await expect(get()).rejects.toThrow('no database');
    fail(false);
    expect(await get()).toBe(2);
  });
});

describe('what is remembered by name', () => {
  it('is asked for once for each name, also when nothing is known under it, and forgotten all together', async () => {
    const { look, forget } = createMemory<string | undefined>();
    const asked: string[] = [];
    const ask = (name: string) =>
      look(name, async () => {
        asked.push(name);
        return name === 'known' ? 'it' : undefined;
      });
    expect([await ask('known'), await ask('unknown'), await ask('known'), await ask('unknown')]).toEqual([
      ...['it', undefined],
      ...['it', undefined],
    ]);
    expect(asked).toEqual(['known', 'unknown']);
    forget();
    await ask('known');
    expect(asked).toHaveLength(3);
  });

  it('is no more than so many names', async () => {
    const { look } = createMemory<number>({ max: 2 });
    let asked = 0;
    const ask = (name: string) => look(name, async () => ++asked);
    for (const name of ['a', 'b', 'c']) await ask(name);
    expect([await ask('c'), await ask('b'), await ask('a')]).toEqual([3, 2, 4]);
  });
});
