import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhere } from '../support/jest-left-out.ts';
import { hasTerminals, newUser, type User } from './support/cointill.ts';
import { serviceForFile, TOKEN } from './support/service.ts';

const service = serviceForFile();

let user: User;
beforeAll(async () => {
  user = newUser({ COINTILL_URL: service.url, COINTILL_TOKEN: TOKEN });
  expect((await user.piped(['projections'])).code).toBe(0);
}, 60_000);
afterAll(() => user.gone());

const json = async (...args: string[]) => {
  const { code, out } = await user.piped([...args, '--json']);
  return { code, answer: JSON.parse(out) as Readonly<Record<string, unknown>> };
};

describe('cointill projections', () => {
  it('rebuilds one and follows it to its end', async () => {
    const { out: list } = await user.piped(['projections']);
    expect(list).toMatch(/^deposits +\d+ +live +false +\d+ +\d+ +(this machine|nobody|[\d.:a-f/]+) /m);
    const { code, out, err } = await user.piped(['projections', 'rebuild', 'deposits']);
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(/deposits is rebuilt\n$/);
  });

  it('checks one: 0 where nothing differs, with every table named', async () => {
    const { code, answer } = await json('projections', 'rebuild', 'deposits', '--check');
    expect(code).toBe(0);
    expect(answer.tables).toContainEqual({ table: 'deposits', missing: 0, extra: 0, changed: 0 });
    expect((await json('projections', 'differences', 'deposits')).answer).toEqual(answer);
  });

  it('holds one, says so to a second with 3, and switches or cancels', async () => {
    expect((await user.piped(['projections', 'rebuild', 'deposits', '--hold'])).err).toContain('it waits');
    expect(await user.piped(['projections', 'rebuild', 'deposits'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('rebuild_running'),
    });
    expect((await user.piped(['projections', 'switch', 'deposits'])).code).toBe(2);
    expect((await user.piped(['projections', 'switch', 'deposits', '--yes'])).err).toContain('deposits is rebuilt');
    expect((await user.piped(['projections', 'rebuild', 'deposits', '--hold'])).code).toBe(0);
    expect((await user.piped(['projections', 'cancel', 'deposits', '--yes'])).code).toBe(0);
  });

  it('refuses what is not there, and what contradicts itself', async () => {
    expect((await user.piped(['projections', 'rebuild', 'nothing'])).code).toBe(3);
    expect((await user.piped(['projections', 'rebuild', 'deposits', '--check', '--hold'])).code).toBe(2);
    const skip = ['projections', 'skip', 'deposits', '--event-id', 'none', '--reason', 'a reason', '--yes'];
    expect(await user.piped(skip)).toMatchObject({ code: 3, err: expect.stringContaining('not_stopped_there') });
  });

  describeWhere(hasTerminals, 'needs script of util-linux')('on a terminal', () => {
    it('draws its progress on one line, which no pipe of the data sees', async () => {
      const ended = await user.onTerminal(['projections', 'rebuild', 'deposits']).ended;
      expect(ended.code).toBe(0);
      expect(ended.out).toContain('\r\u001b[2Krebuild of deposits: ');
      expect(ended.out).toMatch(/ \d+ % \(\d+ of \d+\), \d+ events\/s, /);
    });
  });
});
