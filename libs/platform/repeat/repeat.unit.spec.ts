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

  it('goes on when it is woken, also by somebody who came during the turn before', async () => {
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let turn = 0;
    const work = async (): Promise<boolean> => {
      turns[turn]?.resolve();
      turn += 1;
      if (turn === 2) repeated.wake();
      return false;
    };
    const repeated = repeat({ work, pollMs: 60_000, onError: ignore });
    await turns[0]?.promise;
    await new Promise(setImmediate);
    repeated.wake();
    await turns[2]?.promise;
    await repeated.stop();
    expect(turn).toBe(3);
  });

  it('leaves what fails alone for longer and longer, until it succeeds', async () => {
    const begun: number[] = [];
    const done = Promise.withResolvers<void>();
    const work = async (): Promise<boolean> => {
      begun.push(performance.now());
      if (begun.length === 6) done.resolve();
      if (begun.length < 5) throw new Error('not now');
      return false;
    };
    const repeated = repeat({ work, pollMs: 20, onError: ignore });
    await done.promise;
    await repeated.stop();
    const [first = 0, , , fourth = 0, fifth = 0, sixth = 0] = begun;
    // 40, 80, 160, then 320 ms, and 20 ms again: timers ring late and never early, save by a fraction.
    expect(fourth - first).toBeGreaterThan(270);
    expect(fifth - fourth).toBeGreaterThan(310);
    expect(sixth - fifth).toBeLessThan(310);
  });

  it('tells the work under way that it has to stop', async () => {
    const begun = Promise.withResolvers<void>();
    const work = async (stopping: AbortSignal): Promise<boolean> => {
      begun.resolve();
      await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
      return true;
    };
    const repeated = repeat({ work, pollMs: 1, onError: ignore });
    await begun.promise;
    await repeated.stop();
  });
});
