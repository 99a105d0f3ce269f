import { describe, expect, it } from '@jest/globals';
import { as, done, eventually, newCasino, type Service, verdict } from '../harness/index.ts';

type Projection = {
  readonly name: string;
  readonly version: number;
  readonly position: string;
  readonly head: string;
  readonly lag_events: number;
  readonly lag_ms: number;
  readonly state: 'live' | 'rebuilding';
  readonly progress: unknown;
};

export const projections = (service: Service): void => {
  const all = async () =>
    as<{ projections: readonly Projection[] }>(done(await service.operator('GET', '/operator/projections')))
      .projections;
  const rebuild = (name: string) => service.operator('POST', `/operator/projections/${name}/rebuild`);
  const live = (list: readonly Projection[]) => list.every(({ state }) => state === 'live');

  describe('the projections', () => {
    it('tell where they are, and how far behind', async () => {
      const list = await all();
      expect(list.map(({ name }) => name)).toContain('deposits');
      for (const projection of list) {
        expect(projection).toMatchObject({
          version: expect.any(Number),
          lag_events: expect.any(Number),
          lag_ms: expect.any(Number),
          state: expect.stringMatching(/^(live|rebuilding)$/),
        });
        expect(projection).toHaveProperty('position');
        expect(projection).toHaveProperty('head');
        expect(projection).toHaveProperty('progress');
      }
    });

    it('are rebuilt while reads and writes go on, and say the same as before', async () => {
      const casino = await newCasino(service);
      const deposit = await (await casino.deposit()).settle();
      await deposit.accept();
      await casino.deposit();
      const before = await casino.deposits();
      const started = await rebuild('deposits');
      expect(started.status).toBe(202);
      const meanwhile = await casino.deposit();
      expect((await casino.deposits()).total).toBe(3);
      expect(live(await eventually(all, live, 60_000))).toBe(true);
      const after = await casino.deposits();
      expect(after.deposits[0]?.id).toBe(meanwhile.id);
      expect(after.deposits.slice(1)).toEqual(before.deposits);
    }, 90_000);

    it('are rebuilt one at a time by name', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => rebuild('deposits')));
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(202);
      for (const { status, body } of answers.filter(({ status }) => status !== 202)) {
        expect([status, body]).toEqual([409, { detail: expect.stringMatching(/./), code: 'rebuild_running' }]);
      }
      expect(statuses).toContain(409);
      expect(live(await eventually(all, live, 60_000))).toBe(true);
    }, 90_000);

    it('have names: another is 404', async () => {
      expect(verdict(await rebuild('horoscopes'))).toEqual({ status: 404, detail: expect.stringMatching(/./) });
    });
  });
};
