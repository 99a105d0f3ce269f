import { describe, expect, it } from '@jest/globals';
import { keyText, makeSecret, parseKey } from './key-text.ts';

describe('the text of an API key', () => {
  it('holds 256 random bits behind its id', () => {
    const secrets = Array.from({ length: 50 }, makeSecret);
    expect(new Set(secrets).size).toBe(50);
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true);
    expect(parseKey(keyText(7, 'abc'))).toEqual({ kind: 'with_id', id: 7, secret: 'abc' });
  });

  it.each([
    ['no-colon', { kind: 'bare', secret: 'no-colon' }],
    ['7:a:b', { kind: 'with_id', id: 7, secret: 'a:b' }],
    ['x:abc', { kind: 'malformed' }],
    [':abc', { kind: 'malformed' }],
    ['7:', { kind: 'malformed' }],
    [':', { kind: 'malformed' }],
    ['-7:abc', { kind: 'malformed' }],
    ['7.5:abc', { kind: 'malformed' }],
    ['1e3:abc', { kind: 'malformed' }],
    ['٧:abc', { kind: 'malformed' }],
    [' 7:abc', { kind: 'malformed' }],
  ])('%j is read by its colon', (text, presented) => {
    expect(parseKey(text)).toEqual(presented);
  });
});
