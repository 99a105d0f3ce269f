import { describe, expect, it } from '@jest/globals';
import { UnknownSchemaVersion } from '../errors.ts';
import { verifyChain } from '../hash-chain.ts';
import type { NewEvent, RecordedEvent } from '../port.ts';
import type { KnownEvents } from '../upcasting.ts';
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
    const known: KnownEvents = {
      versions: { Quoted: 3 },
      upcasters: [
        { type: 'Quoted', from: 1, up: ({ usd, ...rest }) => ({ ...rest, price: { usd: usd ?? null } }) },
        { type: 'Quoted', from: 2, up: (data) => ({ ...data, late: false }) },
      ],
    };
    const newer = (): NewEvent => ({ ...anEvent('Quoted', { price: 'in another shape' }), schemaVersion: 4 });

    it('show readers the newest shape, in every way of reading, and leave what is stored as it is', async () => {
      const stream = aStream();
      const start = await log().head();
      await log().append(stream, 'no_stream', [
        anEvent('Quoted', { usd: '5' }),
        { ...anEvent('Quoted', { price: { usd: '6' } }), schemaVersion: 2 },
        { ...anEvent('Quoted', { price: { usd: '7' }, late: true }), schemaVersion: 3 },
        anEvent('Other', { usd: '8' }),
      ]);
      const reader = await server().open({ known });
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

    it('of a newer release are refused in every way of reading, not guessed at', async () => {
      const stream = aStream();
      const start = await log().head();
      const events = [anEvent('Quoted', { usd: '5' }), newer(), anEvent('Quoted', { usd: '6' })];
      await log().append(stream, 'no_stream', events);
      const reader = await server().open({ known });
      const seen: RecordedEvent[] = [];
      const subscription = reader.subscribe({
        ...(start !== undefined && { after: start }),
        filter: { streamPrefixes: [stream] },
        onBatch: async (batch) => {
          seen.push(...batch.events);
          expect(batch.position).toBe(batch.events.at(-1)?.position);
        },
      });
      const readings = [
        () => all(reader.read(stream)),
        () => all(reader.read(stream, { direction: 'backwards' })),
        () => all(reader.readAll(start === undefined ? {} : { after: start })),
        () => subscription.done,
      ];
      for (const reading of readings) {
        const refusal = await refusalOf(reading());
        expect(refusal).toBeInstanceOf(UnknownSchemaVersion);
        expect(refusal).toMatchObject({
          event: { stream, revision: 1, id: events[1]?.id, type: 'Quoted' },
          message: expect.stringMatching(/Quoted has schema version 4, known up to 3: this release is older/),
        });
      }
      // What lies before it was handed on, so that whoever follows stands just before it.
      expect(seen.map(({ id }) => id)).toEqual([events[0]?.id]);
    });

    it("stand in no other stream's way, and can be read as they are stored", async () => {
      const [stream, other] = [aStream(), aStream()];
      const start = await log().head();
      await log().append(stream, 'no_stream', [anEvent('Quoted', { usd: '5' }), newer()]);
      await log().append(other, 'no_stream', [anEvent('Quoted', { usd: '6' })]);
      const reader = await server().open({ known });
      expect((await all(reader.read(other))).map(({ data }) => data)).toEqual([{ price: { usd: '6' }, late: false }]);
      await reader.append(stream, 1, [anEvent('Quoted', { usd: '7' })]);
      const stored = await all(reader.read(stream, { asStored: true }));
      expect(stored.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 4, 1]);
      expect(await verifyChain(stored)).toBe(3);
      const inOrder = await all(reader.readAll({ ...(start !== undefined && { after: start }), asStored: true }));
      expect(inOrder.map(({ data }) => data)).toEqual([
        { usd: '5' },
        { price: 'in another shape' },
        { usd: '6' },
        { usd: '7' },
      ]);
    });
  });
};
