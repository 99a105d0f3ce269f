import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MAX_APPEND_BYTES } from '../append-request.ts';
import { AppendTooLarge, InvalidAppend } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { NewEvent } from '../port.ts';
import { all, anEvent, aStream, refusalOf, type Suite, someEvents } from './harness.ts';

/** An event whose data takes just so many bytes as JSON. */
const ofBytes = (bytes: number): NewEvent => {
  const around = Buffer.byteLength(JSON.stringify({ pad: '' }));
  return anEvent('Large', { pad: 'x'.repeat(bytes - around) });
};

const circular: { self?: unknown } = {};
circular.self = circular;

const foreign: [string, unknown][] = [
  ['a BigInt', { amount: 1n }],
  ['undefined', { amount: undefined }],
  ['a date', { at: new Date(0) }],
  ['NaN', { amount: Number.NaN }],
  ['a function', { amount: () => 1 }],
  ['a circle', circular],
  ['nothing at all', undefined],
];

export const refusals = ({ log }: Suite): void => {
  describe('what no store can take', () => {
    it('takes exactly the limit of data in one append, as one event or as several', async () => {
      const [one, several] = [aStream(), aStream()];
      await log().append(one, 'no_stream', [ofBytes(MAX_APPEND_BYTES)]);
      await log().append(several, 'no_stream', [ofBytes(MAX_APPEND_BYTES - 500), ofBytes(500)]);
      const [event] = await all(log().read(one));
      expect(Buffer.byteLength(JSON.stringify(event?.data))).toBe(MAX_APPEND_BYTES);
      expect(await all(log().read(several))).toHaveLength(2);
    });

    it('refuses one byte more, as one event or as several, writes nothing and stays usable', async () => {
      const stream = aStream();
      for (const events of [[ofBytes(MAX_APPEND_BYTES + 1)], [ofBytes(MAX_APPEND_BYTES - 499), ofBytes(500)]]) {
        const refusal = await refusalOf(log().append(stream, 'no_stream', events));
        expect(refusal).toBeInstanceOf(AppendTooLarge);
        expect(refusal).toMatchObject({ bytes: MAX_APPEND_BYTES + 1, limit: MAX_APPEND_BYTES });
      }
      expect(await log().append(stream, 'no_stream', [anEvent()])).toMatchObject({ revision: 0 });
    });

    it('counts bytes, not characters', async () => {
      const data = { pad: '€'.repeat(Math.ceil(MAX_APPEND_BYTES / 3)) };
      const refusal = await refusalOf(log().append(aStream(), 'no_stream', [anEvent('Large', data)]));
      expect(refusal).toBeInstanceOf(AppendTooLarge);
    });

    it.each(foreign)('refuses data that holds %s', async (_, data) => {
      const stream = aStream();
      const events = [anEvent(), { ...anEvent('Odd'), data: data as JsonObject }];
      expect(await refusalOf(log().append(stream, 'no_stream', events))).toBeInstanceOf(InvalidAppend);
      expect(await all(log().read(stream))).toEqual([]);
    });

    it.each<[string, Partial<NewEvent>]>([
      ['an empty type', { type: '' }],
      ["a type of the log's own", { type: '$metadata' }],
      ['an id that is no UUID', { id: 'deposit-7' }],
      ['the nil UUID', { id: '00000000-0000-0000-0000-000000000000' }],
      ['a schema version of 0', { schemaVersion: 0 }],
    ])('refuses %s', async (_, wrong) => {
      const stream = aStream();
      const refusal = await refusalOf(log().append(stream, 'no_stream', [anEvent(), { ...anEvent(), ...wrong }]));
      expect(refusal).toBeInstanceOf(InvalidAppend);
      expect(await all(log().read(stream))).toEqual([]);
    });

    it.each([
      ['an empty one', ''],
      ["one of the log's own", '$ce-deposit'],
      ['one with a NUL', 'deposit\u0000'],
      ['one with half a character', 'deposit-\ud800'],
      ['one that no index takes', 'd'.repeat(1_001)],
    ])('refuses a stream name: %s', async (_, stream) => {
      expect(await refusalOf(log().append(stream, 'any', [anEvent()]))).toBeInstanceOf(InvalidAppend);
    });

    it('takes the longest stream name', async () => {
      const stream = aStream().padEnd(1_000, 'x');
      await log().append(stream, 'no_stream', [anEvent()]);
      expect(await all(log().read(stream))).toHaveLength(1);
    });

    it('says where in the data a foreign value stands', async () => {
      const data = { a: [1, { b: [new Date(0)] }] } as unknown as JsonObject;
      const refusal = await refusalOf(log().append(aStream(), 'any', [anEvent('Foreign', data)]));
      expect(String(refusal)).toContain('data.a[1].b[0] is a Date, not JSON');
    });

    it('refuses an append of nothing, and one that holds an event twice', async () => {
      const event = { ...anEvent(), id: randomUUID() };
      for (const events of [[], [event, ...someEvents(1), event]])
        expect(await refusalOf(log().append(aStream(), 'any', events))).toBeInstanceOf(InvalidAppend);
    });
  });
};
