import { describe, expect, it } from '@jest/globals';
import { addressesOf } from './address-of.ts';
import { scriptOf } from './script-of.ts';

describe('the address that a script pays to', () => {
  it.each([
    ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['BTC', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['LTC', 'ltc1q3dy5kcu6pjh8mksmutqvmf5vcslax6wl7fy56f'],
    ['LTC', 'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441'],
    ['DASH', 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5'],
    ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['BCH', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ] as const)('of %s is the one whose script that is: %s', (currency, address) => {
    expect(addressesOf(currency, 'main')?.(scriptOf(currency, address) ?? '')).toBe(address);
  });

  it.each([
    ['BTC', 'regtest', '0014751e76e8199196d454941c45d1b3a323f1433bd6', /^bcrt1q/],
    ['BTC', 'signet', '0014751e76e8199196d454941c45d1b3a323f1433bd6', /^tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx$/],
    ['BTC', 'testnet4', '76a914243f1394f44554f4ce3fd68649c19adc483ce92488ac', /^mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn$/],
    ['LTC', 'regtest', '0014751e76e8199196d454941c45d1b3a323f1433bd6', /^rltc1q/],
    ['LTC', 'testnet', 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87', /^Q/],
  ] as const)('of %s on %s is written as there: %s', (currency, network, script, address) => {
    expect(addressesOf(currency, network)?.(script)).toMatch(address);
  });

  it.each([
    ['a key', `21${'02'.repeat(33)}ac`],
    ['a bare script', `5121${'02'.repeat(33)}51ae`],
    ['nobody', `6a04${'ab'.repeat(4)}`],
    ['a program of no such length', `0015${'ab'.repeat(21)}`],
    ['a program that breaks off', `0014${'ab'.repeat(19)}`],
    ['nothing', ''],
  ])('is none where it pays to %s', (_, script) => {
    expect(addressesOf('BTC', 'main')?.(script)).toBeUndefined();
  });

  it('of a script that DASH pays to by its hash begins as there', () => {
    expect(addressesOf('DASH', 'main')?.(`a914${'ab'.repeat(20)}87`)).toMatch(/^7/);
  });

  it('of MARS is known by the first block alone, which is all that names its network', () => {
    const address = 'MDpHzmjcBJaT6vzMsWowQ46kCrhXc3tBii';
    expect(addressesOf('MARS', '0f'.repeat(32))?.(scriptOf('MARS', address) ?? '')).toBe(address);
  });

  it('of BCH has the long hash of a script too', () => {
    const address = addressesOf('BCH', 'main')?.(`aa20${'ab'.repeat(32)}87`);
    expect(address).toMatch(/^bitcoincash:p[a-z0-9]{60}$/);
    expect(addressesOf('BTC', 'main')?.(`aa20${'ab'.repeat(32)}87`)).toBeUndefined();
  });

  it.each(['DASH', 'BCH'] as const)('of %s, which has no witnesses, is none of a program', (currency) => {
    expect(addressesOf(currency, 'main')?.('0014751e76e8199196d454941c45d1b3a323f1433bd6')).toBeUndefined();
  });

  it('of MARS is one of a program too', () => {
    const address = addressesOf('MARS', '0f'.repeat(32))?.('0014751e76e8199196d454941c45d1b3a323f1433bd6');
    expect(address).toMatch(/^mars1qw508d6qejxtdg4y5r3zarvary0c5xw7k[a-z0-9]{6}$/);
  });

  it('is not known of another network that is named by its first block, nor of ETH', () => {
    const first = '0f'.repeat(32);
    const none = [addressesOf('BTC', first), addressesOf('DASH', first), addressesOf('ETH', 'main')];
    expect(none).toEqual([undefined, undefined, undefined]);
  });
});
