import { expect, it } from '@jest/globals';
import { authorisation } from '../../../test/engines/chains/driver/authorisation.ts';
import { mayTake, signerOf } from './authorisations.ts';

/** Of anvil's second account, for chain 31337, by its first number. */
const signed = authorisation('11'.repeat(20));
const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

it('an authorisation tells who signed it', () => {
  expect(signerOf(signed)).toBe(account);
  expect(signerOf({ ...signed, nonce: '0x1' })).not.toBe(account);
  expect(signerOf({ ...signed, r: '0x0' })).toBeUndefined();
});

it('it may take that number of whoever signed it, and no other', () => {
  expect(mayTake([signed], `${account}:0`)).toBe(true);
  expect(mayTake([signed], `${account}:1`)).toBe(false);
  expect(mayTake([signed], `0x${'22'.repeat(20)}:0`)).toBe(false);
});

it('among more than anybody can look through it cannot be told, of that number', () => {
  const many = Array.from({ length: 101 }, () => ({ ...signed, s: '0x7' }));
  expect(mayTake(many, `${account}:0`)).toBeUndefined();
  expect(mayTake(many, `${account}:1`)).toBe(false);
  expect(mayTake([signed, ...many], `${account}:0`)).toBe(true);
});

it('who signed one is looked for once, however many payments wait', () => {
  const many = Array.from({ length: 100 }, () => ({ ...signed, s: '0x7' }));
  const ask = (): number => {
    const start = performance.now();
    mayTake(many, `0x${'22'.repeat(20)}:0`);
    return performance.now() - start;
  };
  const first = ask();
  expect(ask()).toBeLessThan(first / 5);
});
