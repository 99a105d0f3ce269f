import { describe, expect, it } from '@jest/globals';
import { UnknownSchemaVersion } from '../errors.ts';
import { verifyChain } from '../hash-chain.ts';
import type { RecordedEvent } from '../port.ts';
import type { Upcaster } from '../upcasting.ts';
import { all, anEvent, aStream, refusalOf, type Suite, someEvents } from './harness.ts';

const changed = (events: readonly RecordedEvent[], at: number, change: Partial<RecordedEvent>): RecordedEvent[] =>
  events.map((event, i) => (i === at ? { ...event, ...change } : event));

export const history = ({ log, server }: Suite): void => {
  describe('the hash chain', () => {
    it('proves a stream, however it was appended and by whom', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(2));
      await log().append(stream, 'any', [anEvent('Odd', { '10': 1, '9': '\u0000', é: [1e21, -0.5, null] })]);
      await (await server().open()).append(stream, 2, someEvents(3));
      await log().append(stream, 'stream_exists', someEvents(1));
      const events = await all(log().read(stream));
      expect(await verifyChain(events)).toBe(7);
      expect(events[0]?.metadata.prevHash).toBeNull();
      expect(events[3]?.metadata.prevHash).toBe(events[2]?.metadata.hash);
    });

    it('holds through repeats and races', async () => {
      const stream = aStream();
      const events = someEvents(8);
      const twice = [...events, ...events].map((event) => log().append(stream, 'any', [event]));
      await Promise.all(twice);
      expect(await verifyChain(log().read(stream))).toBeGreaterThanOrEqual(8);
    });

    it.each<[string, (events: RecordedEvent[]) => RecordedEvent[]]>([
      ['a changed amount', (events) => changed(events, 1, { data: { n: 99 } })],
      ['a changed type', (events) => changed(events, 1, { type: 'Other' })],
      ['a changed id', (events) => changed(events, 1, { id: crypto.randomUUID() })],
      ['a missing event', (events) => events.toSpliced(1, 1)],
      ['a missing first event', (events) => events.slice(1)],
      ['events in another order', ([a, b, c]) => [a, c, b].filter((event) => event !== undefined)],
      [
        'another actor',
        ([a, b, c]) =>
          [a, b && { ...b, metadata: { ...b.metadata, actor: 'somebody else' } }, c].filter((e) => e !== undefined),
      ],
    ])('finds %s', async (_, forge) => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(3));
      expect(await refusalOf(verifyChain(forge(await all(log().read(stream)))))).toMatchObject({
        name: 'BrokenHistory',
        message: expect.stringContaining(stream),
      });
    });
  });

  describe('schema versions', () => {
    const upcasters: Upcaster[] = [
      { type: 'Quoted', from: 1, up: ({ usd, ...rest }) => ({ ...rest, price: { usd: usd ?? null } }) },
      { type: 'Quoted', from: 2, up: (data) => ({ ...data, late: false }) },
    ];

    it('show readers the newest shape, in every way of reading, and leave what is stored as it is', async () => {
      const stream = aStream();
      const start = await log().head();
      await log().append(stream, 'no_stream', [
        anEvent('Quoted', { usd: '5' }),
        { ...anEvent('Quoted', { price: { usd: '6' } }), schemaVersion: 2 },
        { ...anEvent('Quoted', { price: { usd: '7' }, late: true }), schemaVersion: 3 },
        anEvent('Other', { usd: '8' }),
      ]);
      const reader = await server().open({ upcasters });
      const newest = [
        { price: { usd: '5' }, late: false },
        { price: { usd: '6' }, late: false },
        { price: { usd: '7' }, late: true },
        { usd: '8' },
      ];
      const read = await all(reader.read(stream));
      expect(read.map((event) => event.data)).toEqual(newest);
      expect(read.map((event) => event.schemaVersion)).toEqual([3, 3, 3, 1]);
      const readAll = await all(reader.readAll(start === undefined ? {} : { after: start }));
      expect(readAll.map((event) => event.data)).toEqual(newest);
      const subscribed = await new Promise<readonly RecordedEvent[]>((resolve) => {
        const seen: RecordedEvent[] = [];
        const onBatch = async ({ events }: { events: readonly RecordedEvent[] }): Promise<void> => {
          seen.push(...events);
          if (seen.length === newest.length) resolve(seen);
        };
        reader.subscribe({ filter: { streamPrefixes: [stream] }, onBatch });
      });
      expect(subscribed.map((event) => event.data)).toEqual(newest);
      expect((await all(log().read(stream)))[0]?.data).toEqual({ usd: '5' });
      expect(await verifyChain(log().read(stream))).toBe(4);
    });

    it('of a newer release are refused, not guessed at', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [{ ...anEvent('Quoted'), schemaVersion: 9 }]);
      const reader = await server().open({ upcasters });
      const refusal = await refusalOf(all(reader.read(stream)));
      expect(refusal).toBeInstanceOf(UnknownSchemaVersion);
      expect(refusal).toMatchObject({ message: expect.stringContaining('Quoted has schema version 9') });
    });
  });
};
