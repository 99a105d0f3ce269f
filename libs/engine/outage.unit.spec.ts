import { describe, expect, it } from '@jest/globals';
import { isOutage } from './outage.ts';

const failed = (code: string) => Object.assign(new Error('it failed'), { code });

describe('an outage', () => {
  it.each(['ECONNREFUSED', '57P01', '57P02', '25006', '40P01', '53100', '55P03', '08006'])('is %s', (code) => {
    expect(isOutage(failed(code))).toBe(true);
  });

  it.each(['23505', '42P01', '22P02', 'EPIPE'])('is not %s', (code) => {
    expect(isOutage(failed(code))).toBe(false);
  });
});
