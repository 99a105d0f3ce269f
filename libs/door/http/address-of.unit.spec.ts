import { describe, expect, it } from '@jest/globals';
import { addressOf, isThisMachine } from './address-of.ts';

describe('the address that somebody is counted by', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::3]:4711', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (ip, counted) => {
    expect(addressOf({ ip })).toBe(counted);
  });

  it('of a connection that is gone is one for all of them', () => {
    expect(addressOf({ ip: undefined })).toBe('gone');
  });

  it.each(['127.0.0.1', '127.8.8.8:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::1', '[::1]:80'])(
    'of %s is this machine',
    (ip) => {
      expect(isThisMachine(addressOf({ ip }))).toBe(true);
    },
  );

  it.each(['128.0.0.1', '::2', '2001:db8::1'])('of %s is none of this machine', (ip) => {
    expect(isThisMachine(addressOf({ ip }))).toBe(false);
  });
});
