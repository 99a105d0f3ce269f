import { describe, expect, it } from '@jest/globals';
import { addDecimals } from '../changes/decimals.ts';
import { addToRow, insertRow, updateRow } from '../changes/row-change.ts';
import type { Projection } from '../projection.ts';
import { given } from './given.ts';

const deposits: Projection = {
  name: 'deposits',
  version: 1,
  filter: { streamPrefixes: ['deposit-'] },
  project: ({ type, stream, data }) => {
    if (type === 'DepositOpened') return [insertRow('deposits', { id: stream }, { status: 'open' })];
    return [
      updateRow('deposits', { id: stream }, { status: 'paid' }),
      addToRow('totals', { casino: 'c-1' }, { amount: String(data.amount), deposits: 1 }),
    ];
  },
};

const opened = (stream: string) => ({ type: 'DepositOpened', stream, data: {} });
const paid = (stream: string, amount: string) => ({ type: 'DepositPaid', stream, data: { amount } });

describe('A history and the rows that it leaves', () => {
  it('shows what a projection makes of it', () => {
    given(
      deposits,
      opened('deposit-1'),
      opened('deposit-2'),
      paid('deposit-1', '1.50'),
      paid('deposit-2', '-0.250'),
    ).thenRows({
      deposits: [
        { id: 'deposit-1', status: 'paid' },
        { id: 'deposit-2', status: 'paid' },
      ],
      totals: [{ casino: 'c-1', amount: '1.250', deposits: '2' }],
    });
  });

  it('leaves out what the filter passes over', () => {
    given(deposits, opened('invoice-1')).thenRows({});
  });

  it('fails when a row differs, and when a table was forgotten', () => {
    const history = given(deposits, opened('deposit-1'));
    expect(() => history.thenRows({ deposits: [{ id: 'deposit-1', status: 'paid' }] })).toThrow();
    expect(() => history.thenRows({})).toThrow();
  });

  it('refuses a change of a row that is not there', () => {
    given(deposits, paid('deposit-1', '1')).thenRefused(/updated, but it is not there/);
  });

  it.each([
    ['1.5', '2.50', '4.00'],
    ['-0.05', '0.05', '0.00'],
    ['-1', '0.25', '-0.75'],
    ['99999999999999999999.1', '0.9', '100000000000000000000.0'],
  ])('adds %s and %s exactly', (one, other, sum) => {
    expect(addDecimals(one, other)).toBe(sum);
  });
});
