import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { all, anEvent, aStream, idsOf, type Suite, someEvents } from './harness.ts';

export const reading = ({ log }: Suite): void => {
  describe('reading a stream', () => {
    it('gives an event back as it was written, with its place', async () => {
      const stream = aStream();
      const metadata = {
        occurredAt: '2026-11-21T10:00:00.000Z',
        actor: 'api-key 7',
        correlationId: randomUUID(),
        causationId: randomUUID(),
      };
      const data = {
        amount: '0.12345678',
        '10': 'ten',
        '9': 'nine',
        odd: 'quote " backslash \\ newline \n NUL \u0000 emoji 😀 é',
        nested: { list: [1, -0.5, 1e21, 'x', null, true, { deep: [] }], empty: {} },
      };
      const event = { ...anEvent('QuoteIssued', data), metadata, schemaVersion: 3 };
      const { position } = await log().append(stream, 'no_stream', [event]);
      const [stored] = await all(log().read(stream));
      expect(stored).toMatchObject({ ...event, stream, revision: 0, position });
      expect(stored?.data).toEqual(data);
      expect(stored?.recordedAt).toBeInstanceOf(Date);
      expect(Math.abs(Date.now() - Number(stored?.recordedAt))).toBeLessThan(60_000);
    });

    it('goes both ways, from any revision, with a limit', async () => {
      const stream = aStream();
      const events = someEvents(10);
      await log().append(stream, 'no_stream', events);
      const ids = idsOf(events);
      const read = async (options: Parameters<ReturnType<typeof log>['read']>[1]) =>
        idsOf(await all(log().read(stream, options)));
      expect(await read({})).toEqual(ids);
      expect(await read({ direction: 'backwards' })).toEqual(ids.toReversed());
      expect(await read({ from: 7 })).toEqual(ids.slice(7));
      expect(await read({ from: 2, direction: 'backwards' })).toEqual(ids.slice(0, 3).toReversed());
      expect(await read({ from: 4, limit: 3 })).toEqual(ids.slice(4, 7));
      expect(await read({ direction: 'backwards', limit: 1 })).toEqual(ids.slice(9));
      expect(await read({ from: 10 })).toEqual([]);
      expect(await read({ limit: 0 })).toEqual([]);
    });

    it('finds nothing in a stream that is not there, either way', async () => {
      expect(await all(log().read(aStream()))).toEqual([]);
      expect(await all(log().read(aStream(), { direction: 'backwards' }))).toEqual([]);
      expect(await all(log().read(aStream(), { from: 3 }))).toEqual([]);
    });

    it('can be left in the middle', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(50));
      for await (const event of log().read(stream)) if (event.revision === 3) break;
      expect(await all(log().read(stream, { from: 49 }))).toHaveLength(1);
    });

    it('takes a thousand events in one append, and reads them through its pages', async () => {
      const stream = aStream();
      const events = someEvents(1_000);
      expect(await log().append(stream, 'no_stream', events)).toMatchObject({ revision: 999 });
      await log().append(stream, 999, someEvents(1_000));
      const stored = await all(log().read(stream));
      expect(stored.map((event) => event.revision)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
      expect(idsOf(stored.slice(0, 1_000))).toEqual(idsOf(events));
      expect(idsOf(await all(log().read(stream, { direction: 'backwards' })))).toEqual(idsOf(stored).toReversed());
    });

    it('leaves others their turn while a long one is proven', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(1_000));
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      count();
      const seen: number[] = [];
      for await (const _ of log().read(stream)) seen.push(turns);
      isOver = true;
      // Between pages there are turns anyhow: within any 250 events there are, too.
      for (const first of [0, 250, 500, 749]) expect(seen[first + 250]).toBeGreaterThan(seen[first] ?? turns);
    });
  });
};
