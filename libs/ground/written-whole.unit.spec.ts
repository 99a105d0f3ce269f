import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogReadOnly } from '#event-log';
import { type WrittenWhole, writtenWhole } from './written-whole.ts';

let exchanges: number;
let asked: number;
let answers: () => Promise<string | undefined>;
let told: (string | undefined)[];
let whole: WrittenWhole;

beforeEach(() => {
  [exchanges, asked, told, answers] = [0, 0, [], async () => undefined];
  whole = writtenWhole(() => exchanges);
  whole.askBy(
    async () => {
      asked += 1;
      return answers();
    },
    (lack) => void told.push(lack),
  );
});

afterEach(() => {
  whole.end();
});

const lacking = async () => 'revision 7 of stream deposit-1';

describe('whether a log may be written to', () => {
  it('is asked once for all who write, and anew with each sign that it may be another one', async () => {
    await Promise.all([whole.isWhole(), whole.isWhole()]);
    await whole.isWhole();
    expect(asked).toBe(1);
    exchanges += 1;
    await Promise.all([whole.isWhole(), whole.isWhole()]);
    expect([asked, told]).toEqual([2, []]);
  });

  it('is asked again where the connection was another one before the answer', async () => {
    answers = async () => {
      if (asked > 1) return lacking();
      exchanges += 1;
      return undefined;
    };
    await expect(whole.isWhole()).rejects.toThrow(LogReadOnly);
    expect(asked).toBe(2);
  });

  it('is refused while it lacks what was shown, told once, and found by itself once it has that again', async () => {
    answers = lacking;
    await expect(whole.isWhole()).rejects.toThrow('revision 7 of stream deposit-1');
    await expect(whole.isWhole()).rejects.toThrow(LogReadOnly);
    await later(700);
    expect(asked).toBeGreaterThan(1);
    expect(told).toEqual(['revision 7 of stream deposit-1']);
    answers = async () => undefined;
    await later(1_200);
    await whole.isWhole();
    expect(told).toEqual(['revision 7 of stream deposit-1', undefined]);
    const before = asked;
    await later(700);
    expect(asked).toBe(before);
  });

  it('is not known where nobody can be asked, and what was found to be lacked stays so', async () => {
    const away = new Error('Postgres is away');
    answers = () => Promise.reject(away);
    await expect(whole.isWhole()).rejects.toThrow(away);
    answers = lacking;
    await expect(whole.isWhole()).rejects.toThrow(LogReadOnly);
    answers = () => Promise.reject(away);
    await later(700);
    await expect(whole.isWhole()).rejects.toThrow(LogReadOnly);
  });

  it('is not asked before somebody says how', async () => {
    await writtenWhole(() => exchanges).isWhole();
    expect(asked).toBe(0);
  });
});
