import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './index.ts';

type V4 = readonly [number, number, number, number];

const byte = fc.nat(255);
const v4 = (
  ...parts: readonly [fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>]
) => fc.tuple(...parts);
const only = (n: number) => fc.constant(n);
const from = (min: number, max: number) => fc.integer({ min, max });

const notPublic: fc.Arbitrary<V4> = fc.oneof(
  v4(only(0), byte, byte, byte),
  v4(only(10), byte, byte, byte),
  v4(only(100), from(64, 127), byte, byte),
  v4(only(127), byte, byte, byte),
  v4(only(169), only(254), byte, byte),
  v4(only(172), from(16, 31), byte, byte),
  v4(only(192), only(0), fc.constantFrom(0, 2), byte),
  v4(only(192), only(88), only(99), byte),
  v4(only(192), only(168), byte, byte),
  v4(only(198), from(18, 19), byte, byte),
  v4(only(198), only(51), only(100), byte),
  v4(only(203), only(0), only(113), byte),
  v4(from(224, 255), byte, byte, byte),
);

/** First bytes that no special range begins with. */
const isPublic: fc.Arbitrary<V4> = v4(
  fc.constantFrom(1, 8, 9, 11, 52, 99, 101, 126, 128, 168, 170, 171, 173, 193, 199, 202, 204, 223),
  byte,
  byte,
  byte,
);

const dotted = (address: V4): string => address.join('.');
const hex = (...bytes: readonly number[]): string => bytes.map((b) => b.toString(16).padStart(2, '0')).join('');
const groups = ([a, b, c, d]: V4): string => `${hex(a, b)}:${hex(c, d)}`;
const turned = ([a, b, c, d]: V4): V4 => [a ^ 255, b ^ 255, c ^ 255, d ^ 255];

const carriers: readonly (readonly [string, (address: V4) => string])[] = [
  ['itself', dotted],
  ['IPv4-mapped', (address) => `::ffff:${dotted(address)}`],
  ['IPv4-mapped in groups', (address) => `::ffff:${groups(address)}`],
  ['IPv4-compatible', (address) => `0:0:0:0:0:0:${groups(address)}`],
  ['NAT64', (address) => `64:ff9b::${groups(address)}`],
  ['6to4', (address) => `2002:${groups(address)}::1`],
  ['Teredo, as the server', (address) => `2001:0:${groups(address)}:0:ffff:${groups(turned([8, 8, 8, 8]))}`],
  ['Teredo, as the client', (address) => `2001:0:${groups([8, 8, 8, 8])}:0:ffff:${groups(turned(address))}`],
];

describe.each(carriers)('an IPv4 address as %s', (_, carry) => {
  it('is refused when it is not public', () => {
    fc.assert(
      fc.property(notPublic, (address) => !isPublicAddress(carry(address))),
      { numRuns: 500 },
    );
  });

  it('is let through when it is public', () => {
    fc.assert(
      fc.property(isPublic, (address) => isPublicAddress(carry(address))),
      { numRuns: 500 },
    );
  });
});

describe('local NAT64 (64:ff9b:1::/48)', () => {
  it('is refused when either reading is not public', () => {
    fc.assert(
      fc.property(notPublic, isPublic, (inner, outer) => {
        const [a, b, c, d] = inner;
        const [w, x, y, z] = outer;
        const early = `64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}:${groups(outer)}`;
        const late = `64:ff9b:1:${hex(w, x)}:${hex(0, y)}:${hex(z, 0)}:${groups(inner)}`;
        return !isPublicAddress(early) && !isPublicAddress(late);
      }),
    );
  });
});

describe('an IPv6 address', () => {
  it('outside 2000::/3 that carries no IPv4 address is refused', () => {
    const first = from(0x4000, 0xffff).map((n) => n.toString(16));
    const rest = fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(first, rest, (head, tail) => !isPublicAddress([head, ...tail.map((n) => n.toString(16))].join(':'))),
    );
  });

  it.each([
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '100::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '64:ff9b:2::1',
  ])('%s is refused', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:800::200e', '2001:4860:4860::8888', '2400:cb00::1'])(
    '%s is let through',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('what is no address', () => {
  it.each(['', 'localhost', 'example.com', '256.1.1.1', '1.2.3', '[::1]', '8.8.8.8 '])('%j is refused', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});
