import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { attemptOf, checkEncrypted, checkFromConsole, sessionOfLink, sessionSecretOf } from './session-cookie.ts';

const request = (headers: Readonly<Record<string, string>>, protocol = 'http') =>
  ({ protocol, headers }) as unknown as FastifyRequest;

const COOKIE = { cookie: 'other=1; cointill_session=the-secret' };
const OURS = { 'sec-fetch-site': 'same-origin', 'x-cointill-console': '1' };
const refused = (code: string) => expect.objectContaining({ status: 403, body: expect.objectContaining({ code }) });

const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a session', () => {
  it.each([
    ['another port of this host', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['another site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['an address that was typed', { ...OURS, 'sec-fetch-site': 'none' }],
    ['a browser that says nothing of it', { 'x-cointill-console': '1' }],
    ['a form of a page of this origin', { 'sec-fetch-site': 'same-origin' }],
  ])('is for no request of %s', (_, headers) => {
    expect(refusalOf(() => checkFromConsole(request(headers)))).toEqual(refused('session_foreign_request'));
    expect(refusalOf(() => sessionSecretOf(request({ ...headers, ...COOKIE })))).toEqual(
      refused('session_foreign_request'),
    );
  });

  it('is for the console, and where there is none nothing is refused', () => {
    expect(sessionSecretOf(request({ ...OURS, ...COOKIE }))).toBe('the-secret');
    expect(sessionSecretOf(request({}))).toBeUndefined();
  });

  it('is followed by links of the console alone', () => {
    expect(sessionOfLink(request({ 'sec-fetch-site': 'same-origin', ...COOKIE }))).toBe('the-secret');
    for (const site of ['same-site', 'cross-site', 'none'])
      expect(sessionOfLink(request({ 'sec-fetch-site': site, ...COOKIE }))).toBeUndefined();
    expect(sessionOfLink(request(COOKIE))).toBeUndefined();
  });

  it.each([
    ['0b4f6c52-6a0e-4c1c-9a53-1a2b3c4d5e6f', true],
    ['too-short', false],
    ["'; DROP TABLE console_attempts --", false],
    ['a'.repeat(65), false],
  ])('knows by %s what is sent again: %s', (attempt, known) => {
    expect(attemptOf(request({ 'x-cointill-attempt': attempt }))).toBe(known ? attempt : undefined);
  });

  it.each(['console.example', 'localhost.example:3000', '127.0.0.1.example', '10.0.0.7:3000', ''])(
    'is begun at %s with TLS alone',
    (host) => {
      expect(refusalOf(() => checkEncrypted(request({ host })))).toEqual(refused('console_needs_tls'));
      expect(() => checkEncrypted(request({ host }, 'https'))).not.toThrow();
    },
  );

  it.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])('is begun on %s without', (host) => {
    expect(() => checkEncrypted(request({ host }))).not.toThrow();
  });
});
