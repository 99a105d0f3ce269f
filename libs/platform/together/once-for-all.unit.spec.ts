import { expect, it } from '@jest/globals';
import { onceForAll } from './index.ts';

const counted = () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const ask = onceForAll(async (key: string) => {
    const nth = asked.push(key);
    await new Promise<void>((end) => ends.push(end));
    if (key === 'bad') throw new Error(`no ${nth}`);
    return nth;
  });
  /** Whatever is under way, until nothing more begins. */
  const endAll = async (): Promise<void> => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise((wake) => setImmediate(wake));
    }
  };
  return { asked, ask, endAll };
};

it('all who come while an answer is under way get the next one, which begins after them', async () => {
  const { asked, ask, endAll } = counted();
  const answers = [ask('a'), ...Array.from({ length: 50 }, () => ask('a'))];
  expect(asked).toEqual(['a']);
  await endAll();
  expect(await Promise.all(answers)).toEqual([1, ...Array.from({ length: 50 }, () => 2)]);
  const later = ask('a');
  await endAll();
  expect(await later).toBe(3);
});

it('nobody waits for the answer of another thing', async () => {
  const { asked, ask } = counted();
  void ask('a');
  void ask('b');
  expect(asked).toEqual(['a', 'b']);
});

it('what fails, fails for those alone who get it', async () => {
  const { ask, endAll } = counted();
  const answers = [ask('bad'), ask('bad'), ask('bad')];
  const settled = Promise.allSettled(answers);
  await endAll();
  expect((await settled).map((each) => each.status === 'rejected' && String(each.reason))).toEqual([
    ...['Error: no 1', 'Error: no 2', 'Error: no 2'],
  ]);
});
