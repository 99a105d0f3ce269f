import { expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine } from '../testing/open-engine.ts';
import { toldBy } from './told-by.ts';

const database = databasePerTest(...engineTables);

it('what one told of a history is given in the order in which it was told, whatever the ids', async () => {
  const engine = database.closing(await openTestEngine(database.url));
  await engine.issue(2);
  const of = (signal_id: string, type: string, minute: number, more: object = {}) => ({
    ...{ signal_id, type, deposit_id: 2, txid: 'tx', vout: 0, at: `2026-03-01T12:0${minute}:00Z`, ...more },
  });
  const [first, then] = [
    [
      of('z', 'payment.seen', 1, { amount: '2' }),
      of('y', 'payment.confirmed', 1, { confirmations: 1 }),
      of('x', 'payment.reorged', 2),
      of('w', 'payment.confirmed', 3, { confirmations: 1 }),
    ],
    [of('v', 'payment.reorged', 4)],
  ];
  await engine.takeSignals(first, 'one');
  await engine.takeSignals([of('u', 'payment.dropped', 4)], 'another');
  await engine.takeSignals([...then, of('t', 'payment.seen', 5, { amount: 2 })], 'one');
  expect(await toldBy(engine.pool, 'one', 'deposit-2')).toEqual([...first, ...then]);
  expect(await toldBy(engine.pool, 'one', 'legacy-transaction-2')).toEqual([]);
});
