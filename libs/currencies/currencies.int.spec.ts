import { describe, expect, it } from '@jest/globals';
import { tickers } from '#money';
import { migrations as partnerMigrations } from '#partners';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations, openCurrencies } from './index.ts';

const database = databasePerTest(partnerMigrations, migrations);

describe('a currency', () => {
  it('is switched on from the start, of either family; an unknown one never is', async () => {
    const { list, isEnabled } = openCurrencies({ pool: database.pool });
    expect(await list()).toEqual(tickers.map((ticker) => ({ ticker, enabled: true })));
    expect(await Promise.all(['BTC', 'MARS', 'DOGE', 'btc'].map(isEnabled))).toEqual([true, true, false, false]);
  });

  it('is switched off at once where it was done, and within a second elsewhere', async () => {
    const [here, there] = [openCurrencies({ pool: database.pool }), openCurrencies({ pool: database.pool })];
    expect([await here.isEnabled('LTC'), await there.isEnabled('LTC')]).toEqual([true, true]);
    await here.setEnabled('LTC', false, 'test');
    expect([await here.isEnabled('LTC'), await here.isEnabled('BTC')]).toEqual([false, true]);
    const until = performance.now() + 1_000;
    while (await there.isEnabled('LTC')) expect(performance.now()).toBeLessThan(until);
  });

  it('is recorded with who switched it, when it changed', async () => {
    const { setEnabled } = openCurrencies({ pool: database.pool });
    await setEnabled('LTC', true, 'operator token 2');
    const desks = Array.from({ length: 8 });
    await Promise.all(desks.map(() => database.pool.query('SELECT pg_sleep(0.01)')));
    await Promise.all(desks.map(() => setEnabled('LTC', false, 'operator token 3')));
    await setEnabled('LTC', true, 'operator token 4');
    const { rows } = await database.pool.query('SELECT actor, subject_id, before, after FROM audit_trail ORDER BY id');
    expect(rows).toEqual([
      { actor: 'operator token 3', subject_id: 'LTC', before: { enabled: true }, after: { enabled: false } },
      { actor: 'operator token 4', subject_id: 'LTC', before: { enabled: false }, after: { enabled: true } },
    ]);
  });
});
