import { describe, expect, it } from '@jest/globals';
import { nameOf } from './name-of.ts';

describe('the name of a person of the provider', () => {
  it.each([
    [{ name: 'Bob', preferred_username: 'bob', email: 'bob@id.example' }, 'Bob'],
    [{ name: '', preferred_username: 'bob' }, 'bob'],
    [{ name: 7, email: 'bob@id.example' }, 'bob@id.example'],
    [{ name: 'B\0b', preferred_username: 'b\ud800b', email: 'bob@id.example' }, 'bob@id.example'],
    [{ name: 'B\0b' }, null],
    [{}, null],
  ])('is the first that can be kept of %j', (claims, name) => {
    expect(nameOf(claims)).toBe(name);
  });
});
