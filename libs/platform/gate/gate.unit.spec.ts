import { describe, expect, it } from '@jest/globals';
import { Crowded, createGate, type GateOptions } from './index.ts';

const opened = (options: Partial<GateOptions> = {}) => {
  const gate = createGate({ most: 3, mostOfOne: 2, mostWaiting: 3, withinMs: 5_000, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  /** Goes on until it is ended by its name. */
  const come = (name: string, party: string, thing = name): Promise<string> =>
    gate({ party, thing }, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { gate, begun, come, end };
};

describe('a gate', () => {
  it('lets in as many as there is room for, of one party and of all, and parties take turns', async () => {
    const { begun, come, end } = opened();
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    const all = names.map((name) => come(name, name.slice(0, 1)));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    for (const name of ['a1', 'a2']) await end(name);
    expect(begun.slice(3)).toEqual(['a3', 'c1']);
    await end('a3');
    expect(begun.slice(5)).toEqual(['b2']);
    await end('b1');
    expect(begun.slice(6)).toEqual(['a4']);
    for (const name of ['a4', 'b2', 'c1']) await end(name);
    expect(await Promise.all(all)).toEqual(names);
  });

  it('lets in one at a time for one thing, and others of the party past those who wait for it', async () => {
    const { begun, come, end } = opened();
    const all = [come('first', 'a', 'thing'), come('second', 'a', 'thing'), come('else', 'a')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['first', 'else']);
    await end('else');
    expect(begun).toHaveLength(2);
    await end('first');
    await end('second');
    expect(await Promise.all(all)).toEqual(['first', 'second', 'else']);
  });

  it('refuses who would be one too many to wait, of that party alone', async () => {
    const { come, end, begun } = opened({ most: 2, mostOfOne: 1, mostWaiting: 1 });
    const all = [come('a1', 'a'), come('a2', 'a')];
    await expect(come('a3', 'a')).rejects.toBeInstanceOf(Crowded);
    all.push(come('b1', 'b'));
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    await Promise.all(all);
  });

  it('refuses whose turn does not come in time, and has room again for others', async () => {
    const { begun, come, end } = opened({ most: 1, mostWaiting: 1, withinMs: 50 });
    const first = come('first', 'a');
    await expect(come('late', 'a')).rejects.toThrow('its turn did not come within 50 ms');
    const next = come('next', 'a');
    await end('first');
    await end('next');
    expect(await Promise.all([first, next])).toEqual(['first', 'next']);
    expect(begun).toEqual(['first', 'next']);
  });

  it('is as quick as before when thousands of parties have waited in vain', async () => {
    const { gate, come, end } = opened({ most: 1, withinMs: 50 });
    const first = come('first', 'a');
    const crowd = Array.from({ length: 50_000 }, (_, nth) => come('late', `party ${nth}`).catch(() => undefined));
    await Promise.all(crowd);
    await end('first');
    await first;
    const rounds: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const before = process.cpuUsage();
      for (let nth = 0; nth < 100; nth += 1) await gate({ party: 'b', thing: 'thing' }, async () => undefined);
      rounds.push(process.cpuUsage(before).user / 1_000);
    }
    // A walk past all who were there would take some milliseconds of each; what the crowd has left is thrown away meanwhile.
    expect(Math.min(...rounds)).toBeLessThan(100);
  });

  it('lets in whoever comes for the first time without waiting for the turns of all who were there lately', async () => {
    const { begun, come, end } = opened({ most: 1 });
    const crowd = Array.from({ length: 100 }, (_, nth) => `${nth}`);
    const all = crowd.flatMap((name) => ['once', 'twice', 'again'].map((time) => come(`${name} ${time}`, name)));
    /** Each ends as soon as he was let in. */
    const go = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await end(begun.at(-1) ?? '');
    };
    await go(200);
    all.push(come('new', 'new'));
    await go(2);
    expect(begun.slice(-2)).toContain('new');
    await go(100);
    expect(begun).toHaveLength(301);
    await Promise.all(all);
  });

  it('goes on behind work that failed', async () => {
    const { gate } = opened({ most: 1 });
    const comer = { party: 'a', thing: 'thing' };
    await expect(gate(comer, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect(await gate(comer, async () => 'well')).toBe('well');
  });
});
