import { describe, expect, it } from '@jest/globals';
import { nameOf } from './name-of.ts';

describe('the name of a person of the provider', () => {
  it.each([
    [{ name: 'Bob', preferred_username: 'bob', email: 'bob@id.example' }, 'Bob'],
    [{ name: '', preferred_username: 'bob' }, 'bob'],
    [{ name: 7, email: 'bob@id.example' }, 'bob@id.example'],
    [{ name: 'B\0b', preferred_username: 'b\ud800b', email: 'bob@id.example' }, 'bob@id.example'],
    [{ name: 'B\0b' }, null],
    [{ name: 'B'.repeat(100_000), preferred_username: 'bob' }, 'B'.repeat(255)],
    [{ name: `${'B'.repeat(254)}\u{1F600}ob` }, `${'B'.repeat(254)}\u{1F600}`],
    [{ name: '\u{1F600}'.repeat(300) }, '\u{1F600}'.repeat(255)],
    [{ name: 'B'.repeat(255) }, 'B'.repeat(255)],
    [{}, null],
  ])('is the first that can be kept of %j', (claims, name) => {
    expect(nameOf(claims)).toBe(name);
  });
});
