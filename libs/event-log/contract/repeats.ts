import { describe, expect, it } from '@jest/globals';
import { WrongExpectedRevision } from '../errors.ts';
import { verifyChain } from '../hash-chain.ts';
import type { ExpectedRevision } from '../port.ts';
import { all, anEvent, aStream, idsOf, refusalOf, type Suite, someEvents } from './harness.ts';

export const repeats = ({ log, server }: Suite): void => {
  describe('an append that is repeated', () => {
    it('gets the first answer again and writes nothing, also when the stream has moved on', async () => {
      const stream = aStream();
      const [first, second, third] = [anEvent(), anEvent(), anEvent()];
      const started = await log().append(stream, 'no_stream', [first]);
      const continued = await log().append(stream, 0, [second]);
      await log().append(stream, 1, [third]);
      expect(await log().append(stream, 'no_stream', [first])).toEqual(started);
      expect(await log().append(stream, 0, [second])).toEqual(continued);
      expect(idsOf(await all(log().read(stream)))).toEqual(idsOf([first, second, third]));
    });

    it.each(['any', 'stream_exists'] as const)('is recognised under %s', async (expected) => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [anEvent()]);
      const events = someEvents(2);
      const answer = await log().append(stream, expected, events);
      expect(await log().append(stream, expected, events)).toEqual(answer);
      expect(await all(log().read(stream))).toHaveLength(3);
    });

    it('is recognised by another client, in one piece or as a part from its beginning', async () => {
      const stream = aStream();
      const events = someEvents(3);
      const answer = await log().append(stream, 'no_stream', events);
      const other = await server().open();
      expect(await other.append(stream, 'no_stream', events)).toEqual(answer);
      expect(await other.append(stream, 'no_stream', events.slice(0, 2))).toMatchObject({ revision: 1 });
      expect(await all(log().read(stream))).toHaveLength(3);
    });

    it('keeps what was written first: only ids are compared', async () => {
      const stream = aStream();
      const event = anEvent('PaymentSeen', { amount: '1' });
      const answer = await log().append(stream, 'no_stream', [event]);
      expect(await log().append(stream, 'no_stream', [{ ...event, data: { amount: '2' } }])).toEqual(answer);
      expect((await all(log().read(stream)))[0]?.data).toEqual({ amount: '1' });
    });

    it('leaves the chain whole when it brought another time, also for whoever goes on behind it', async () => {
      const stream = aStream();
      const event = anEvent();
      await log().append(stream, 'no_stream', [event]);
      const other = await server().open();
      await other.append(stream, 'no_stream', [{ ...event, metadata: { occurredAt: '2026-11-21T10:00:07.000Z' } }]);
      await other.append(stream, 0, [anEvent()]);
      await all(other.read(stream));
      await other.append(stream, 1, [anEvent()]);
      expect(await verifyChain(log().read(stream))).toBe(3);
    });

    it.each<ExpectedRevision>(['no_stream', 'any', 'stream_exists'])(
      'is a conflict under %s when it brings more, or another order',
      async (expected) => {
        const stream = aStream();
        const [one, two, three] = [anEvent(), anEvent(), anEvent()];
        await log().append(stream, 'no_stream', [one, two]);
        for (const events of [
          [one, two, three],
          [two, one],
          [three, two],
        ])
          expect(await refusalOf(log().append(stream, expected, events))).toBeInstanceOf(WrongExpectedRevision);
        expect(idsOf(await all(log().read(stream)))).toEqual(idsOf([one, two]));
      },
    );

    it('is an append of its own in another stream', async () => {
      const event = anEvent();
      const [here, there] = [aStream(), aStream()];
      await log().append(here, 'no_stream', [event]);
      expect(await log().append(there, 'no_stream', [event])).toMatchObject({ revision: 0 });
      expect(idsOf(await all(log().read(there)))).toEqual([event.id]);
    });

    it('stores one event when sixteen copies race, each with a time of its own', async () => {
      const stream = aStream();
      const event = anEvent();
      const copies = Array.from({ length: 16 }, (_, n) => ({
        ...event,
        metadata: { occurredAt: `2026-11-21T10:00:${n + 10}Z` },
      }));
      const answers = await Promise.all(copies.map((copy) => log().append(stream, 'no_stream', [copy])));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await all(log().read(stream))).toHaveLength(1);
      await log().append(stream, 0, [anEvent()]);
      expect(await verifyChain(log().read(stream))).toBe(2);
    });
  });
};
