import { describe, expect, it } from '@jest/globals';
import { tickers } from '#money';
import { deriverOf } from './derive.ts';
import { accountKeys, makeMnemonic } from './first-start.ts';
import { isAddressOf, scriptOf } from './script-of.ts';

describe('an address of its coin', () => {
  it.each([
    ['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['BTC', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['ETH', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['LTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['BCH', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['BCH', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ] as const)('%s: %s', (currency, address) => {
    expect(isAddressOf(currency, address)).toBe(true);
  });

  it('is every one that is derived', async () => {
    for (const { currency, xpub } of await accountKeys(makeMnemonic())) {
      const derive = deriverOf(currency, xpub);
      for (const index of [0, 1, 2]) expect([currency, isAddressOf(currency, derive(index))]).toEqual([currency, true]);
    }
  });
});

describe('no address of that coin', () => {
  it.each([
    ['BTC', 'ATTACKER-ADDRESS'],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['BTC', 'ltc1q3dy5kcu6pjh8mksmutqvmf5vcslax6wl7fy56f'],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['BTC', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
    ['BTC', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['ETH', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['ETH', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea'],
    ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q'],
    ['DASH', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['MARS', ''],
  ] as const)('%s: %s', (currency, address) => {
    expect(isAddressOf(currency, address)).toBe(false);
  });

  it('is nothing at all for any of them', () => {
    for (const currency of tickers) expect(isAddressOf(currency, 'x'.repeat(40))).toBe(false);
  });
});

describe('what an output bears that pays to an address', () => {
  it.each([
    ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac'],
    ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87'],
    ['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'BTC',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    ['LTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87'],
    [
      'BCH',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
    ],
    ['BCH', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', 'a91476a04053bda0a88bda5177b86a15c3b29f55987387'],
    ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ] as const)('%s: %s', (currency, address, script) => {
    expect(scriptOf(currency, address)).toBe(script);
  });
});
