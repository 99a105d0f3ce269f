import { describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { migrations as partnerMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations, openRates, simulatedRates } from './index.ts';

const database = databasePerTest(partnerMigrations, migrations);

const open = (sources = [simulatedRates()]) => openRates({ pool: database.pool, logger: silentLogger, sources });

describe('a rate', () => {
  it('is what is pinned, to the last digit, before what the providers say', async () => {
    const rates = open();
    expect(await rates.current('BTC')).toBe('60000');
    await rates.pin('BTC', decimalText('12345678901234567890.123456789'), 'test');
    expect(await rates.current('BTC')).toBe('12345678901234567890.123456789');
    await rates.unpin('BTC', 'test');
    expect(await rates.current('BTC')).toBe('60000');
  });

  it('can be pinned to "unavailable"', async () => {
    const rates = open();
    await rates.pin('ETH', null, 'test');
    expect([await rates.current('ETH'), await rates.current('BTC')]).toEqual(['unavailable', '60000']);
    expect(await rates.list()).toEqual(
      expect.arrayContaining([
        { ticker: 'ETH', pinned: true, usd: null, current: null },
        { ticker: 'BTC', pinned: false, usd: null, current: '60000' },
      ]),
    );
  });

  it('is only the pinned one where there are no providers', async () => {
    const rates = open([]);
    expect(await rates.current('BTC')).toBe('unavailable');
    await rates.pin('BTC', decimalText('50000.50'), 'test');
    expect(await rates.current('BTC')).toBe('50000.5');
  });

  it('is in force at once where it is pinned, and within a second elsewhere', async () => {
    const [here, there] = [open(), open()];
    expect(await there.current('BTC')).toBe('60000');
    await here.pin('BTC', decimalText('1'), 'test');
    expect(await here.current('BTC')).toBe('1');
    const until = performance.now() + 1_000;
    while ((await there.current('BTC')) !== '1') expect(performance.now()).toBeLessThan(until);
  });

  const silent = { name: 'silent', tickers: ['BTC'] as const, price: () => Promise.reject(new Error('no answer')) };
  const saying = (usd: string) => ({ ...silent, name: 'saying', price: () => Promise.resolve(decimalText(usd)) });
  const pinBy = async (role: 'admin' | 'ops', rates: ReturnType<typeof open>, usd: string | null) =>
    (await rates.pin('BTC', usd === null ? null : decimalText(usd), role, role === 'ops')).outcome;
  const bounded = (rates: ReturnType<typeof open>, usd: string | null) => pinBy('ops', rates, usd);
  const nextDay = () => database.pool.query(`UPDATE last_pins SET anchored_at = now() - interval '25 hours'`);

  it('that is bounded is counted from what an admin pinned, however long ago, where there are no providers', async () => {
    const pinned = open([]);
    await pinBy('admin', pinned, '100');
    expect([await bounded(pinned, '119'), await bounded(pinned, '140')]).toEqual(['applied', 'refused']);
    await nextDay();
    expect([await bounded(pinned, '140'), await bounded(pinned, '120')]).toEqual(['refused', 'applied']);
    await bounded(pinned, null);
    expect(await bounded(pinned, '121')).toBe('refused');
    await pinned.unpin('BTC', 'ops');
    expect([await bounded(pinned, '143'), await bounded(open(), '143')]).toEqual(['refused', 'refused']);
    expect(await bounded(open(), '71000')).toBe('applied');
  });

  it('that is bounded goes on from a rate that an admin pins again as it stands, which is recorded', async () => {
    const pinned = open([]);
    await pinBy('admin', pinned, '100');
    expect([await bounded(pinned, '119'), await bounded(pinned, '119')]).toEqual(['applied', 'applied']);
    expect([await bounded(pinned, '130'), await pinBy('admin', pinned, '119')]).toEqual(['refused', 'applied']);
    expect(await bounded(pinned, '140')).toBe('applied');
    const { rows } = await database.pool.query('SELECT actor, before, after FROM audit_trail ORDER BY id');
    expect(rows.map(({ actor, after }) => [actor, after.usd])).toEqual([
      ['admin', '100'],
      ['ops', '119'],
      ['admin', '119'],
      ['ops', '140'],
    ]);
  });

  it('that is bounded may be the first of all, and is counted from that one until an admin pins another', async () => {
    const pinned = open([]);
    expect([await bounded(pinned, '100'), await bounded(pinned, '120')]).toEqual(['applied', 'applied']);
    await nextDay();
    expect([await bounded(pinned, '121'), await pinBy('admin', pinned, '140')]).toEqual(['refused', 'applied']);
    expect(await bounded(pinned, '165')).toBe('applied');
  });

  it('that is bounded comes no further from what the providers say, on no day, while a pin stands', async () => {
    expect([await bounded(open(), '72000'), await bounded(open(), '79000')]).toEqual(['applied', 'refused']);
    for (const usd of ['86400', '73000', '103680']) {
      await nextDay();
      expect([usd, await bounded(open(), usd)]).toEqual([usd, 'refused']);
    }
    expect([await bounded(open([silent]), '79000'), await bounded(open([silent]), '71000')]).toEqual([
      'refused',
      'applied',
    ]);
    expect([await bounded(open([silent]), '85000'), await bounded(open(), '49000')]).toEqual(['refused', 'applied']);
  });

  it('that is bounded is held against what the providers say now as well as where the day began, unless an admin said more that day', async () => {
    expect(await bounded(open(), '70000')).toBe('applied');
    expect([await bounded(open([saying('50000')]), '71000'), await bounded(open([saying('50000')]), '60000')]).toEqual([
      'refused',
      'applied',
    ]);
    await pinBy('admin', open(), '100000');
    expect([await bounded(open(), '119000'), await bounded(open(), '72000')]).toEqual(['applied', 'refused']);
    await nextDay();
    expect([await bounded(open(), '118000'), await bounded(open(), '72000')]).toEqual(['refused', 'applied']);
  });

  it('that is bounded is counted from what the providers say also while "unavailable" is pinned, and is refused while they say nothing', async () => {
    expect(await bounded(open(), null)).toBe('applied');
    expect([await bounded(open(), '1'), await bounded(open(), '1000000000')]).toEqual(['refused', 'refused']);
    expect([await bounded(open([silent]), '60000'), await bounded(open(), '61000')]).toEqual(['refused', 'applied']);
    expect([await bounded(open(), null), await bounded(open([silent]), '70000')]).toEqual(['applied', 'applied']);
    await nextDay();
    await database.pool.query('UPDATE last_pins SET usd = 20000');
    expect([await bounded(open(), null), await bounded(open([silent]), '20000')]).toEqual(['applied', 'refused']);
    expect([await bounded(open(), '20000'), await bounded(open(), '60000')]).toEqual(['refused', 'applied']);
  });

  it('is recorded with who pinned it, before and after, when it changed', async () => {
    const rates = open();
    await rates.pin('BTC', decimalText('50000.50'), 'operator token 3');
    await rates.pin('BTC', decimalText('50000.5'), 'operator token 4');
    await rates.pin('BTC', null, 'operator token 5');
    await rates.unpin('BTC', 'operator token 6');
    await rates.unpin('BTC', 'operator token 7');
    const { rows } = await database.pool.query(
      'SELECT actor, action, subject, subject_id, before, after FROM audit_trail ORDER BY id',
    );
    const of = { subject: 'rate', subject_id: 'BTC' };
    expect(rows).toEqual([
      { ...of, actor: 'operator token 3', action: 'changed', before: null, after: { usd: '50000.5' } },
      { ...of, actor: 'operator token 5', action: 'changed', before: { usd: '50000.5' }, after: { usd: null } },
      { ...of, actor: 'operator token 6', action: 'removed', before: { usd: null }, after: null },
    ]);
  });
});
