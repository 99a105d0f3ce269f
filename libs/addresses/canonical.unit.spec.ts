import { describe, expect, it } from '@jest/globals';
import { canonicalAddress } from './canonical.ts';

describe('two spellings', () => {
  it.each([
    ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94', '0x9858effd232b4033e47d90003d41ec34ecaeda94'],
    ['0X9858EFFD232B4033E47D90003D41EC34ECAEDA94', '0x9858effd232b4033e47d90003d41ec34ecaeda94'],
    ['BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['LTC1QJMXNZ78NMC8NQ77WUXH25N2ES7RZM5C2RKK4WH', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
    ['QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ])('%s and %s are one address', (one, other) => {
    expect(canonicalAddress(one)).toBe(canonicalAddress(other));
  });

  it.each([
    ['37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', '37vucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
    ['bC1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['ADDRESS', 'address'],
  ])('%s and %s are two', (one, other) => {
    expect(canonicalAddress(one)).not.toBe(canonicalAddress(other));
  });
});
