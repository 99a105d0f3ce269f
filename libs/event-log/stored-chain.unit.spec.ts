import { describe, expect, it } from '@jest/globals';
import { BrokenHistory } from './errors.ts';
import { FIRST_LINK, isStoredMetadata, type StoredMetadata } from './hash-chain.ts';
import type { JsonObject } from './json.ts';
import { positionOf } from './position.ts';
import type { StoredEvent } from './store.ts';
import { linkAfterStored, problemOf } from './stored-chain.ts';

const nested = (depth: number): never => {
  let value: unknown = [];
  for (let n = 0; n < depth; n++) value = [value];
  return value as never;
};

const written: StoredMetadata = {
  ...{ schema_version: 1, occurred_at: '2026-03-01T12:00:00.000Z', prev_hash: null },
  hash: 'ab'.repeat(32),
};

const stored = (data: JsonObject, metadata: object = {}): StoredEvent => ({
  ...{ stream: 'deposit-1', revision: 0, position: positionOf(1n, 1n), id: crypto.randomUUID(), type: 'QuoteIssued' },
  ...{ recordedAt: new Date(), data, metadata: { ...written, ...metadata } },
});

describe('an event that cannot be hashed', () => {
  it.each([
    ['has a number that no double holds', stored(JSON.parse('{"a":1e400}'))],
    ['is nested too deep', stored({ a: nested(100_000) })],
    ['names what is nested too deep as the hash before it', stored({}, { prev_hash: nested(100_000) })],
  ])('is not as it was written, and is so told: it %s', (_, event) => {
    expect(problemOf(event)).toBe('its content was changed after it was written');
    expect(() => linkAfterStored(FIRST_LINK, event)).toThrow(BrokenHistory);
  });
});

describe('metadata that some log of ours may have written', () => {
  it.each([[{}], [{ actor: 'api key 1', correlation: 'c', causation: 'd', prev_hash: 'cd'.repeat(32) }]])(
    'are, by their shape, those with %j',
    (more) => expect(isStoredMetadata({ ...written, ...more })).toBe(true),
  );

  it.each([
    [{ hash: 'a' }],
    [{ hash: 'AB'.repeat(32) }],
    [{ prev_hash: undefined }],
    [{ prev_hash: [] }],
    [{ schema_version: '1' }],
    [{ schema_version: 0 }],
    [{ occurred_at: 5 }],
    [{ actor: null }],
  ])('are not those with %j', (other) => expect(isStoredMetadata({ ...written, ...other })).toBe(false));
});
