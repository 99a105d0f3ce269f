import { describe, expect, it } from '@jest/globals';
import { Crowded, createGate } from '#platform/gate';
import { createLookUps } from './look-ups.ts';

const SECOND = 1_000;

const hashOf = (text: string): Buffer => Buffer.from(text);

/** A store of the one that `good` is, which answers when it is told to. */
const opened = () => {
  let [clock, holding] = [0, true];
  const asked: string[] = [];
  let held: (() => void)[] = [];
  const gate = createGate({ most: 2, mostOfOne: 1, mostWaiting: 2 });
  const lookUps = createLookUps<{ hash: Buffer }>(gate, { now: () => clock });
  const show = (text: string, from: string, name = text) =>
    lookUps.find(name, { hash: hashOf(text), from }, async () => {
      asked.push(text);
      if (holding) await new Promise<void>((answer) => held.push(answer));
      return name === 'good' ? { hash: hashOf('good') } : undefined;
    });
  const settle = () => new Promise(setImmediate);
  return {
    asked,
    show,
    settle,
    forget: lookUps.forget,
    inTurn: lookUps.inTurn,
    pass: (ms: number) => {
      clock += ms;
    },
    answer: async () => {
      for (const one of held) one();
      held = [];
      await settle();
    },
    answerAll: async () => {
      holding = false;
      for (const one of held) one();
      await settle();
    },
  };
};

describe('credentials that nobody knows', () => {
  it('are looked up in turn by the address that shows them, and past a number refused', async () => {
    const { asked, show, settle, answer, answerAll } = opened();
    const crowd = ['1', '2', '3'].map((text) => show(text, 'crowd'));
    await expect(show('4', 'crowd')).rejects.toBeInstanceOf(Crowded);
    const partner = show('good', 'partner');
    await settle();
    expect(asked).toEqual(['1', 'good']);
    await answer();
    expect(await partner).toEqual({ hash: hashOf('good') });
    await answerAll();
    expect(await Promise.all(crowd)).toEqual([undefined, undefined, undefined]);
    expect(await show('4', 'crowd')).toBeUndefined();
  });

  it('take one place where one is shown many times at once', async () => {
    const { asked, show, answerAll } = opened();
    const first = show('1', 'partner');
    const many = Array.from({ length: 50 }, () => show('good', 'partner'));
    await answerAll();
    await first;
    expect(await Promise.all(many)).toHaveLength(50);
    expect(asked).toEqual(['1', 'good']);
  });

  it('keep nobody from what they name, wherever in a crowd they do', async () => {
    const { asked, show, settle, answer, answerAll } = opened();
    const crowd = [show('1', 'crowd'), show('a guess', 'crowd', 'good')];
    const partner = show('good', 'partner');
    await settle();
    expect(asked).toEqual(['1', 'good']);
    await answer();
    expect(await partner).toBeDefined();
    await answerAll();
    expect(await crowd[1]).toEqual({ hash: hashOf('good') });
    expect(asked).toEqual(['1', 'good']);
  });

  it('are asked for again by whoever comes after a change', async () => {
    const { asked, show, settle, forget, answerAll } = opened();
    const before = show('good', 'partner');
    await settle();
    forget();
    const after = show('good', 'partner');
    await answerAll();
    await Promise.all([before, after]);
    expect(asked).toEqual(['good', 'good']);
  });
});

describe('a credential that was good before', () => {
  const crowded = async () => {
    const all = opened();
    const first = all.show('good', 'partner');
    await all.settle();
    await all.answer();
    await first;
    const crowd = ['1', '2', '3'].map((text) => all.show(text, 'partner'));
    await all.settle();
    all.asked.length = 0;
    all.pass(SECOND);
    return { ...all, crowd };
  };

  it('is looked up at once, however many strangers wait at the same address', async () => {
    const { asked, show, settle, answerAll, crowd } = await crowded();
    const partner = show('good', 'partner');
    await settle();
    expect(asked).toEqual(['good']);
    await answerAll();
    expect(await partner).toBeDefined();
    await Promise.all(crowd);
  });

  it('is one by its secret, not by the name that others guess', async () => {
    const { asked, show, answerAll, crowd } = await crowded();
    await expect(show('a guess', 'partner', 'good')).rejects.toBeInstanceOf(Crowded);
    expect(asked).toEqual([]);
    await answerAll();
    await Promise.all(crowd);
  });

  it('is none beside the name of another', async () => {
    const { asked, show, answerAll, crowd } = await crowded();
    await expect(show('good', 'partner', 'another')).rejects.toBeInstanceOf(Crowded);
    expect(asked).toEqual([]);
    await answerAll();
    await Promise.all(crowd);
  });

  it('does at once also what else is asked with it', async () => {
    const { inTurn, answerAll, crowd } = await crowded();
    expect(await inTurn('good', { hash: hashOf('good'), from: 'partner' }, async () => 'done')).toBe('done');
    const unknown = inTurn('good', { hash: hashOf('a guess'), from: 'partner' }, async () => 'done');
    await expect(unknown).rejects.toBeInstanceOf(Crowded);
    await answerAll();
    await Promise.all(crowd);
  });
});
