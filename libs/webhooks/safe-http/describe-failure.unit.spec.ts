import assert from 'node:assert';
import { describe, expect, it } from '@jest/globals';
import { describeFailure } from './describe-failure.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('why no answer came', () => {
  it('is told in plain words where the answer was more than the client could take', () => {
    expect(describeFailure(thrownBy(() => assert(null)))).toBe('The answer is not HTTP');
  });

  it.each([
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER', reason: 'wrong version number' }, 'no TLS is spoken on this port'],
    [
      { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', reason: 'tlsv1 alert protocol version' },
      'tlsv1 alert protocol version',
    ],
    [{ code: 'EPROTO' }, 'protocol error'],
  ])('is told of a TLS handshake in one line, and of no source of OpenSSL: %j', (fields, reason) => {
    const text =
      '40AD73B3347F0000:error:0A00010B:SSL routines:f:wrong version number:../deps/openssl/tlsany_meth.c:77:\n';
    expect(describeFailure(Object.assign(new Error(text), fields))).toBe(`TLS handshake failed: ${reason}`);
  });

  it('is one line, whatever the client says', () => {
    expect(describeFailure(new Error('first\n  second\r\n'))).toBe('The request failed: first second');
  });
});
