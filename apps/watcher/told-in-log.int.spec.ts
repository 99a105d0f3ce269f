import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventLog } from '#event-log';
import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { databasePerTest } from '../../test/support/with-database.ts';
import { toldInLog } from './told-in-log.ts';

const database = databasePerTest(migrations);
let log: EventLog;
beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
});

type Written = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

const write = (stream: string, ...events: readonly Written[]) =>
  log.append(
    stream,
    'any',
    events.map(({ type, data }) => ({
      ...{ id: randomUUID(), type, data: JSON.parse(JSON.stringify(data)) },
      metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
    })),
  );

const at = '2026-03-01T12:00:00.000Z';
const place = { txid: 'aa', vout: 1 };
const seen = { ...place, signalId: 'live-1', payment: { ...place, amount: '0.5', replaceable: true, firstSeenAt: at } };
const confirmed = { ...place, signalId: 'live-2', blockHash: 'b', blockHeight: 7 };
const deposit = { deposit: { depositId: 1, currency: 'BTC' } };
const transaction = { transaction: { transactionId: 2, currency: 'BTC' } };

const facts = [
  { ...place, signalId: 'live-1', kind: 'seen', amount: '0.5', replaceable: true, at: new Date(at) },
  { ...place, signalId: 'live-2', kind: 'confirmed', block: { hash: 'b', height: 7 } },
];

const sinceOf = async (coin: 'BTC' | 'LTC') =>
  (await Array.fromAsync(toldInLog(log).since(coin, undefined, new AbortController().signal))).map(
    ({ owner, fact }) => ({ owner, fact }),
  );

describe('what the log knows of payments', () => {
  it('is what was told of those of deposits and of older transactions, in one coin, in its order', async () => {
    await write('deposit-1', { type: 'PaymentSeen', data: { ...deposit, ...seen } });
    await write('legacy-transaction-2', { type: 'LegacyPaymentConfirmed', data: { ...transaction, ...confirmed } });
    expect(await sinceOf('BTC')).toEqual([
      { owner: { depositId: 1, transactionId: null }, fact: facts[0] },
      { owner: { depositId: null, transactionId: 2 }, fact: facts[1] },
    ]);
    expect(await sinceOf('LTC')).toEqual([]);
  });

  it('is nothing of what somebody else has written', async () => {
    await write('somebody-1', { type: 'PaymentSeen', data: { ...deposit, ...seen } });
    await write('deposit-1', { type: 'PaymentSeen', data: { ...deposit, payment: 'none' } });
    await write('deposit-1', { type: 'PaymentConfirmed', data: { ...deposit, ...confirmed, blockHeight: 'high' } });
    expect(await sinceOf('BTC')).toEqual([]);
  });

  it.each([
    [
      { depositId: 1, transactionId: null },
      'deposit-1',
      { type: 'AddressAssigned', data: { ...deposit, address: 'an address' } },
      '',
    ],
    [
      { depositId: null, transactionId: 2 },
      'legacy-transaction-2',
      { type: 'LegacyTransactionStarted', data: { terms: { currency: 'BTC', wallet: 'an address' } } },
      'Legacy',
    ],
  ])('is all of one with its addresses: %j', async (owner, stream, given, older) => {
    await write(
      stream,
      given,
      { type: `${older}PaymentSeen`, data: seen },
      { type: `${older}PaymentConfirmed`, data: confirmed },
      { type: `${older}PaymentReorged`, data: { ...place, signalId: 'live-3' } },
      { type: `${older}PaymentDoubleSpent`, data: { ...place, signalId: 'live-4', replacedBy: 'bb' } },
    );
    expect(await toldInLog(log).of(owner)).toEqual({
      addresses: [{ currency: 'BTC', address: 'an address' }],
      facts: [
        ...facts,
        { ...place, signalId: 'live-3', kind: 'reorged' },
        { ...place, signalId: 'live-4', kind: 'double_spent', replacedBy: 'bb' },
      ],
    });
  });

  it('is nothing of a history that is broken', async () => {
    await write('deposit-1', { type: 'PaymentSeen', data: { ...deposit, ...seen } });
    await database.pool.query(
      "ALTER TABLE events DISABLE TRIGGER USER; UPDATE events SET data = '{}'; ALTER TABLE events ENABLE TRIGGER USER",
    );
    expect(await toldInLog(log).of({ depositId: 1, transactionId: null })).toBeUndefined();
  });
});
