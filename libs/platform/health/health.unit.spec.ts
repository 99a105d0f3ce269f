import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { endsWithin } from '../pause/index.ts';
import { createHealth } from './index.ts';

describe('readiness', () => {
  it('holds when every check does', async () => {
    const health = createHealth();
    health.addCheck('database', async () => 1);
    health.addCheck('bus', async () => undefined);
    expect(await health.readiness()).toEqual({
      ready: true,
      checks: [
        { name: 'database', ok: true },
        { name: 'bus', ok: true },
      ],
    });
  });

  it('names the check that fails, and why', async () => {
    const health = createHealth();
    health.addCheck('database', () => Promise.reject(new Error('connection refused')));
    health.addCheck('bus', async () => undefined);
    expect(await health.readiness()).toMatchObject({
      ready: false,
      checks: [{ name: 'database', ok: false, detail: 'connection refused' }, { ok: true }],
    });
  });

  it('waits for no check longer than its time-out', async () => {
    const health = createHealth({ timeoutMs: 20 });
    health.addCheck('event log', () => new Promise(() => undefined));
    health.addCheck('bus', () => new Promise(() => undefined));
    const { ready, checks } = await health.readiness();
    expect([ready, ...checks.map(({ detail }) => detail)]).toEqual([
      false,
      'no answer within 20 ms',
      'no answer within 20 ms',
    ]);
  });

  it('does not ask again while an answer is still to come', async () => {
    const health = createHealth({ timeoutMs: 20 });
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    health.addCheck('bus', () => {
      asked += 1;
      return answer.promise;
    });
    const late = await Promise.all([health.readiness(), health.readiness()]);
    expect([late.map(({ ready }) => ready), asked]).toEqual([[false, false], 1]);
    answer.resolve();
    await answer.promise;
    expect((await health.readiness()).ready).toBe(true);
    await health.readiness();
    expect(asked).toBeGreaterThan(1);
  });

  it('ends when the process begins to stop, whatever the checks say', async () => {
    const health = createHealth();
    health.addCheck('database', async () => 1);
    health.startStopping();
    expect(await health.readiness()).toMatchObject({ ready: false, checks: [{ detail: 'shutting down' }] });
  });

  it('names what somebody has to look at until it is calmed, and is whole all the while', async () => {
    const health = createHealth();
    expect([health.alarm('the relay stands'), health.alarm('the relay stands')]).toEqual([true, false]);
    expect(await health.readiness()).toEqual({ ready: true, checks: [], alarms: ['the relay stands'] });
    expect([health.calm('the relay stands'), health.calm('the relay stands')]).toEqual([true, false]);
    expect(await health.readiness()).toEqual({ ready: true, checks: [] });
  });

  it('names the first of many, and says how many there are', async () => {
    const health = createHealth();
    const told = Array.from({ length: 22 }, (_, nth) => `history ${nth}`);
    for (const what of told) health.alarm(what);
    const { alarms } = await health.readiness();
    expect(alarms).toEqual([...told.slice(0, 20), 'and 2 more: alerts in the log name each']);
  });

  it('waits at first for what is wanted at first alone, and tells afterwards that it is away', async () => {
    const health = createHealth();
    let away = true;
    health.addCheck('bus', () => (away ? Promise.reject(new Error('gone')) : Promise.resolve()), 'at first');
    expect(await health.readiness()).toEqual({ ready: false, checks: [{ name: 'bus', ok: false, detail: 'gone' }] });
    away = false;
    expect(await health.readiness()).toEqual({ ready: true, checks: [{ name: 'bus', ok: true }] });
    away = true;
    expect(await health.readiness()).toEqual({ ready: true, checks: [{ name: 'bus', ok: false, detail: 'gone' }] });
  });

  it('answers without what is needed no more where that hangs, by what it said last, and says when it hangs for long', async () => {
    const health = createHealth({ timeoutMs: 1_000, brieflyMs: 20 });
    let asked: () => Promise<unknown> = async () => undefined;
    let times = 0;
    health.addCheck('database', async () => 1);
    health.addCheck(
      'bus',
      () => {
        times += 1;
        return asked();
      },
      'at first',
    );
    const bus = async () => {
      const { ready, checks } = await health.readiness();
      return [ready, checks[1]];
    };
    expect(await bus()).toEqual([true, { name: 'bus', ok: true }]);
    const answer = Promise.withResolvers<void>();
    asked = () => answer.promise;
    expect(await bus()).toEqual([true, { name: 'bus', ok: true }]);
    await setTimeout(1_000);
    const hangs = { name: 'bus', ok: false, detail: 'no answer within 1000 ms' };
    expect([await bus(), times]).toEqual([[true, hangs], 2]);
    answer.reject(new Error('gone'));
    await setTimeout(0);
    const next = Promise.withResolvers<void>();
    asked = () => next.promise;
    expect(await bus()).toEqual([true, { name: 'bus', ok: false, detail: 'gone' }]);
    next.resolve();
    await setTimeout(0);
    expect(await bus()).toEqual([true, { name: 'bus', ok: true }]);
  });

  it('answers within a second while a broker hangs that was there once', async () => {
    const health = createHealth();
    let away = false;
    health.addCheck('bus', () => (away ? new Promise(() => undefined) : Promise.resolve()), 'at first');
    await health.readiness();
    away = true;
    for (const _ of [1, 2, 3]) expect([await endsWithin(health.readiness(), 1_000)]).toEqual([true]);
  });

  it('forgets a check that was taken back', async () => {
    const health = createHealth();
    const takeBack = health.addCheck('bus', () => Promise.reject(new Error('gone')));
    takeBack();
    expect((await health.readiness()).ready).toBe(true);
  });
});
