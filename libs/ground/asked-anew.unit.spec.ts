import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogUnavailable } from '#event-log';
import { type AskedAnew, askedAnew } from './asked-anew.ts';

let exchanges: number;
let asked: number;
let answers: () => Promise<void>;
let anew: AskedAnew;

const refuse = async (): Promise<void> => {
  throw new Error('it is of another installation');
};

beforeEach(() => {
  [exchanges, asked, answers] = [0, 0, async () => undefined];
  anew = askedAnew(() => exchanges, { pastMs: 1_000, patienceMs: 3_000 });
  anew.askBy(async () => {
    asked += 1;
    await answers();
  });
});

afterEach(() => {
  anew.end();
});

describe('whose log it is', () => {
  it('is asked once for all who call behind a new connection, and not again without one', async () => {
    await Promise.all([anew.isOurs(), anew.isOurs()]);
    await anew.isOurs();
    expect(asked).toBe(1);
    exchanges += 1;
    await Promise.all([anew.isOurs(), anew.isOurs()]);
    expect(asked).toBe(2);
  });

  it('is asked again where the connection was another one before the answer', async () => {
    answers = async () => {
      if (asked === 1) exchanges += 1;
    };
    await anew.isOurs();
    expect(asked).toBe(2);
  });

  it('is waited for while a leader that has slept answers from its past', async () => {
    answers = refuse;
    const call = anew.isOurs();
    await later(300);
    answers = async () => undefined;
    await call;
  });

  it('refuses whoever waits as soon as the log does not answer, and is asked again for the next one', async () => {
    answers = async () => {
      await later(100);
      throw new LogUnavailable('no answer');
    };
    const calls = [anew.isOurs(), anew.isOurs()];
    for (const call of calls) await expect(call).rejects.toThrow(/^no answer$/);
    expect(asked).toBe(1);
    answers = async () => undefined;
    await anew.isOurs();
  });

  it('is asked ever more seldom while it stays another one, and at once behind a new connection', async () => {
    answers = refuse;
    await expect(anew.isOurs()).rejects.toThrow(LogUnavailable);
    await later(5_000);
    const before = asked;
    await later(2_000);
    // Five times a second would be ten.
    expect(asked - before).toBeLessThan(6);
    answers = async () => undefined;
    exchanges += 1;
    await anew.isOurs().catch(() => undefined);
    await later(100);
    await anew.isOurs();
  }, 15_000);

  it('is not waited for without an end where the connection is another one behind each answer', async () => {
    answers = async () => {
      await later(20);
      exchanges += 1;
    };
    await expect(anew.isOurs()).rejects.toThrow('connected to anew all the while');
  });

  it('is of nobody who waits when it is closed, nor of who comes later', async () => {
    await anew.isOurs();
    answers = refuse;
    exchanges += 1;
    const call = anew.isOurs();
    anew.end();
    await expect(call).rejects.toThrow(LogUnavailable);
    await expect(anew.isOurs()).rejects.toThrow(LogUnavailable);
  });

  it("refuses who waited, and then at once whoever comes, until it is this installation's again", async () => {
    answers = refuse;
    await expect(anew.isOurs()).rejects.toThrow(LogUnavailable);
    await expect(anew.isOurs()).rejects.toThrow('it is of another installation');
    answers = async () => undefined;
    await later(500);
    await anew.isOurs();
  });
});
