import { describe, expect, it } from '@jest/globals';
import { repeat } from './index.ts';

const ignore = (): void => undefined;

describe('work that is repeated', () => {
  it('goes on at once while there is more, and through failures that are told', async () => {
    const errors: unknown[] = [];
    const done = Promise.withResolvers<void>();
    let turns = 0;
    const work = async (): Promise<boolean> => {
      turns += 1;
      if (turns === 2) throw new Error('not now');
      if (turns === 4) done.resolve();
      return turns !== 4;
    };
    const repeated = repeat({ work, pollMs: 1, onError: (error) => errors.push(error) });
    await done.promise;
    await repeated.stop();
    expect(errors).toEqual([new Error('not now')]);
  });

  it('stops at once between two turns, and waits for the one under way', async () => {
    let [begun, ended] = [0, 0];
    const first = Promise.withResolvers<void>();
    const work = async (): Promise<boolean> => {
      begun += 1;
      first.resolve();
      await new Promise(setImmediate);
      ended += 1;
      return false;
    };
    const repeated = repeat({ work, pollMs: 60_000, onError: ignore });
    await first.promise;
    await repeated.stop();
    expect([begun, ended]).toEqual([1, 1]);
  });
});
