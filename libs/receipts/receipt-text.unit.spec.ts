import { describe, expect, it } from '@jest/globals';
import { receiptSubject, receiptText } from './receipt-text.ts';

describe('a receipt', () => {
  it('names what was credited, the coins, and the deposit', () => {
    const receipt = { depositId: 7, playerAmount: '99.5', cryptoAmount: '0.00000001', currency: 'BTC' };
    expect(receiptText(receipt)).toBe('Receipt: 99.50 USD credited for 0.00000001 BTC. Deposit 7.');
    expect(receiptSubject(receipt)).toBe('Receipt for deposit 7');
  });

  it.each([
    ['33.335000000000001', '33.33'],
    ['99.995', '99.99'],
    ['100', '100.00'],
    ['0.009', '0.00'],
  ])('shows whole cents, and never more than what was credited, and coins as they are: %s', (playerAmount, shown) => {
    const receipt = { depositId: 7, playerAmount, cryptoAmount: '2.50000000', currency: 'LTC' };
    expect(receiptText(receipt)).toContain(` ${shown} USD credited for 2.5 LTC`);
  });
});
