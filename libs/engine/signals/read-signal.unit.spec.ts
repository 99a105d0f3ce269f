import { describe, expect, it } from '@jest/globals';
import { readSignal } from './read-signal.ts';

const now = '2026-03-01T12:00:00.000Z';
const at = '2026-03-01T11:59:00Z';
const base = { signal_id: 's-1', deposit_id: 7, at };

const read = (raw: unknown) => readSignal(raw, now);
const readable = (fields: object) => {
  const result = read({ ...base, ...fields });
  if (result.kind !== 'readable') throw new Error(JSON.stringify(result));
  return result;
};
const reasonFor = (fields: object): string => {
  const result = read({ ...base, ...fields });
  return result.kind === 'readable' ? 'readable' : result.reason;
};

const seen = { type: 'payment.seen', txid: 'tx', amount: '0.5' };

describe('a signal as the engine sends it', () => {
  it('is read with the defaults of what it leaves out', () => {
    expect(readable(seen)).toEqual({
      kind: 'readable',
      signalId: 's-1',
      target: { by: 'id', subject: { depositId: 7 } },
      signal: {
        type: 'payment.seen',
        signalId: 's-1',
        at: '2026-03-01T11:59:00.000Z',
        now,
        txid: 'tx',
        vout: 0,
        amount: '0.5',
        fundingAddresses: [],
        replaceable: false,
      },
    });
  });

  it('names one transaction, in whatever case its hash comes', () => {
    const hash = 'ab'.repeat(32);
    for (const text of [hash, hash.toUpperCase()]) {
      expect(readable({ ...seen, txid: text }).signal).toMatchObject({ txid: hash });
      expect(readable({ ...seen, txid: `0x${text}` }).signal).toMatchObject({ txid: `0x${hash}` });
    }
    expect(readable({ ...seen, txid: 'TX-1' }).signal).toMatchObject({ txid: 'TX-1' });
  });

  it('keeps every digit of 18 decimals', () => {
    expect(readable({ ...seen, amount: '1.000000000000000001' }).signal).toMatchObject({
      amount: '1.000000000000000001',
    });
  });

  it.each([
    [
      { type: 'payment.seen', txid: 't', vout: 3, amount: '1', funding_addresses: ['a', 'b'], replaceable: true },
      { vout: 3, fundingAddresses: ['a', 'b'], replaceable: true },
    ],
    [
      { type: 'payment.confirmed', txid: 't', confirmations: 2, block_hash: 'h', block_height: 9 },
      { confirmations: 2, blockHash: 'h', blockHeight: 9 },
    ],
    [
      { type: 'payment.confirmed', txid: 't', confirmations: 1 },
      { blockHash: null, blockHeight: null, vout: 0 },
    ],
    [
      { type: 'payment.dropped', txid: 't' },
      { txid: 't', vout: 0 },
    ],
    [{ type: 'payment.double_spent', txid: 't', replaced_by: 'u' }, { replacedBy: 'u' }],
    [{ type: 'payment.reorged', txid: 't', vout: 1 }, { vout: 1 }],
    [{ type: 'quote.expired' }, { type: 'quote.expired' }],
    [
      { type: 'guards.completed', passed: false, reason: 'low fee' },
      { passed: false, reason: 'low fee' },
    ],
    [
      { type: 'guards.completed', passed: true },
      { passed: true, reason: null },
    ],
    [
      { type: 'kyt.completed', status: 'review', risk_score: '0.7' },
      { status: 'review', riskScore: '0.7' },
    ],
    [
      { type: 'kyt.completed', status: 'passed' },
      { riskScore: null, unknownSendersOf: null },
    ],
    [
      { type: 'kyt.completed', status: 'review', unknown_senders_of: 'AB'.repeat(32) },
      { status: 'review', unknownSendersOf: 'ab'.repeat(32) },
    ],
    [
      { type: 'ofac.completed', status: 'hit', address: 'bad' },
      { status: 'hit', address: 'bad' },
    ],
    [{ type: 'ofac.completed', status: 'clear', address: null }, { address: null }],
    [{ type: 'ofac.deadline_missed' }, {}],
    [
      { type: 'refund.broadcast', return_id: 5, refund_txid: 'r' },
      { returnId: 5, refundTxid: 'r' },
    ],
    [
      { type: 'refund.dropped', return_id: 5, refund_txid: 'r' },
      { returnId: 5, refundTxid: 'r' },
    ],
    [{ type: 'settlement.included', batch_id: 'b-1' }, { batchId: 'b-1' }],
  ])('%j', (fields, expected) => {
    expect(readable(fields).signal).toMatchObject(expected);
  });

  it('names its deposit by an address too', () => {
    const raw = { ...seen, signal_id: 's-1', at, address: 'ltc1' };
    expect(read(raw)).toMatchObject({ kind: 'readable', target: { by: 'address', address: 'ltc1' } });
  });

  it('may name a transaction of the older interface', () => {
    expect(read({ ...seen, signal_id: 's-1', at, transaction_id: 5 })).toMatchObject({
      target: { by: 'id', subject: { transactionId: 5 } },
    });
  });

  it('takes the address of an OFAC answer for the sanctioned one only beside a deposit_id', () => {
    const raw = { type: 'ofac.completed', status: 'hit', signal_id: 's-1', at, address: 'ltc1' };
    expect(read(raw)).toMatchObject({ target: { by: 'address', address: 'ltc1' }, signal: { address: null } });
  });

  it.each([
    ['2026-03-01T13:00:00+02:00', '2026-03-01T11:00:00.000Z'],
    ['2026-03-01T13:00Z', '2026-03-01T13:00:00.000Z'],
    ['2026-03-01T13:00:00.123456Z', '2026-03-01T13:00:00.123Z'],
    ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00.000Z'],
    ['1999-01-01T00:00:00Z', '1999-01-01T00:00:00.000Z'],
  ])('has its time %s in UTC', (text, expected) => {
    expect(readable({ ...seen, at: text }).signal.at).toBe(expected);
  });
});

describe('a malformed signal is rejected with its reason', () => {
  it.each([
    [{ type: 'payment.lost' }, 'type payment.lost is not known'],
    [{ type: '__proto__' }, 'type __proto__ is not known'],
    [{ type: 'toString' }, 'type toString is not known'],
    [{ type: 7 }, 'type has to be text of 1 to 128 printable ASCII characters'],
    [{ ...seen, deposit_id: undefined }, 'deposit_id, transaction_id or address is missing'],
    [{ ...seen, deposit_id: null, address: null }, 'deposit_id, transaction_id or address is missing'],
    [{ ...seen, deposit_id: '7' }, 'deposit_id has to be a whole number above 0'],
    [{ ...seen, deposit_id: 0 }, 'deposit_id has to be a whole number above 0'],
    [{ ...seen, deposit_id: 1e20 }, 'deposit_id has to be a whole number above 0'],
    [{ ...seen, at: undefined }, 'at is missing'],
    [{ ...seen, at: 1_772_366_340 }, 'at has to be an ISO 8601 time with its zone'],
    [{ ...seen, at: '2026-03-01T12:00:00' }, 'at has to be an ISO 8601 time with its zone'],
    [{ ...seen, at: '2026-02-30T12:00:00Z' }, 'at has to be an ISO 8601 time with its zone'],
    [{ ...seen, at: '9999-12-31T23:59:59-14:00' }, 'at has to lie in the years 2 to 9998'],
    [{ ...seen, at: '0001-01-01T00:00:00+14:00' }, 'at has to lie in the years 2 to 9998'],
    [{ ...seen, txid: undefined }, 'txid is missing'],
    [{ ...seen, txid: '' }, 'txid has to be text of 1 to 128 printable ASCII characters'],
    [{ ...seen, txid: 'x'.repeat(129) }, 'txid has to be text of 1 to 128 printable ASCII characters'],
    [{ ...seen, txid: 'a\u0000b' }, 'txid has to be text of 1 to 128 printable ASCII characters'],
    [{ ...seen, txid: 'caf\u00e9' }, 'txid has to be text of 1 to 128 printable ASCII characters'],
    [{ ...seen, vout: -1 }, 'vout has to be a whole number, 0 or above'],
    [{ ...seen, vout: 0.5 }, 'vout has to be a whole number, 0 or above'],
    [{ ...seen, vout: '0' }, 'vout has to be a whole number, 0 or above'],
    [{ ...seen, amount: 0.5 }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: '0' }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: '-1' }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: '1e3' }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: 'Infinity' }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: Number.POSITIVE_INFINITY }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: '9'.repeat(5_000) }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, amount: { valueOf: '1' } }, 'amount has to be a decimal above 0 as a string'],
    [{ ...seen, replaceable: 'true' }, 'replaceable has to be true or false'],
    [{ ...seen, funding_addresses: 'a' }, 'funding_addresses has to be a list of at most 1000'],
    [
      { ...seen, funding_addresses: Array.from({ length: 1_001 }, String) },
      'funding_addresses has to be a list of at most 1000',
    ],
    [
      { ...seen, funding_addresses: ['a', 1] },
      'funding_addresses[1] has to be text of 1 to 128 printable ASCII characters',
    ],
    [{ type: 'payment.confirmed', txid: 't' }, 'confirmations is missing'],
    [
      { type: 'payment.confirmed', txid: 't', confirmations: 1.5 },
      'confirmations has to be a whole number, 0 or above',
    ],
    [
      { type: 'payment.confirmed', txid: 't', confirmations: '1' },
      'confirmations has to be a whole number, 0 or above',
    ],
    [{ type: 'payment.double_spent', txid: 't' }, 'replaced_by is missing'],
    [{ type: 'guards.completed', passed: 1 }, 'passed has to be true or false'],
    [
      { type: 'guards.completed', passed: false, reason: '' },
      'reason has to be text of 1 to 500 characters without NUL',
    ],
    [
      { type: 'guards.completed', passed: false, reason: 7 },
      'reason has to be text of 1 to 500 characters without NUL',
    ],
    [{ type: 'guards.completed', passed: false, reason: ' \u00a0\n' }, 'reason has to be more than blanks'],
    [{ ...seen, funding_addresses: ['a', ' '] }, 'funding_addresses[1] has to be more than blanks'],
    [
      { type: 'payment.confirmed', txid: 't', confirmations: 1, block_hash: '  ' },
      'block_hash has to be more than blanks',
    ],
    [{ type: 'ofac.completed', status: 'hit', address: ' ' }, 'address has to be more than blanks'],
    [{ type: 'settlement.included', batch_id: ' ' }, 'batch_id has to be more than blanks'],
    [{ type: 'kyt.completed', status: 'ok' }, 'status has to be passed or review or failed'],
    [{ type: 'kyt.completed', status: 'passed', risk_score: 0.5 }, 'risk_score has to be a decimal as a string'],
    [{ type: 'ofac.completed', status: 'timed_out' }, 'status has to be clear or hit'],
    [{ type: 'refund.broadcast', return_id: '5', refund_txid: 'r' }, 'return_id has to be a whole number above 0'],
    [{ type: 'refund.broadcast', return_id: 5 }, 'refund_txid is missing'],
    [{ type: 'settlement.included' }, 'batch_id is missing'],
  ])('%j', (fields, reason) => {
    expect(reasonFor(fields)).toBe(reason);
  });

  it('and what names it is kept for operators', () => {
    expect(read({ ...base, ...seen, amount: 1 })).toEqual({
      kind: 'malformed',
      signalId: 's-1',
      type: 'payment.seen',
      depositId: 7,
      transactionId: null,
      reason: 'amount has to be a decimal above 0 as a string',
    });
  });

  it('nothing is taken from a prototype', () => {
    expect(read(JSON.parse('{"__proto__": {"signal_id": "s-1"}, "type": "quote.expired"}'))).toMatchObject({
      kind: 'unnamed',
    });
    expect(reasonFor(JSON.parse('{"type": "payment.seen", "__proto__": {"txid": "t", "amount": "1"}}'))).toBe(
      'txid is missing',
    );
  });
});

describe('without a usable signal_id', () => {
  it.each([
    [null, null],
    ['text', null],
    [[], null],
    [{}, null],
    [{ signal_id: 7 }, null],
    [{ signal_id: '' }, ''],
    [{ signal_id: 'a\u0000' }, 'a\u0000'],
    [{ signal_id: '\ud800' }, '\ud800'],
    [{ signal_id: 'x'.repeat(500) }, 'x'.repeat(128)],
  ])('%j is echoed as far as it is text', (raw, echo) => {
    expect(read(raw)).toMatchObject({ kind: 'unnamed', echo });
  });

  it('128 characters are an id, 129 are not', () => {
    expect(read({ ...base, ...seen, signal_id: 'x'.repeat(128) }).kind).toBe('readable');
    expect(read({ ...base, ...seen, signal_id: 'x'.repeat(129) }).kind).toBe('unnamed');
    expect(read({ ...base, ...seen, signal_id: '\u{1f3b2}'.repeat(128) }).kind).toBe('readable');
    expect(read({ ...base, ...seen, signal_id: '\u{1f3b2}'.repeat(129) })).toMatchObject({
      kind: 'unnamed',
      echo: '\u{1f3b2}'.repeat(128),
    });
  });
});
