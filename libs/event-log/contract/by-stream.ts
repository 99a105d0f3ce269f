import { describe, expect, it } from '@jest/globals';
import type { ProvenEvent } from '../port.ts';
import { anEvent, type Suite } from './harness.ts';

/** The order in which all of history is proven. */
export const byStream = ({ log }: Suite): void => {
  const all = async (options = {}): Promise<ProvenEvent[]> =>
    (await Array.fromAsync(log().readByStream(options))).flat();
  const places = (events: readonly ProvenEvent[]) => events.map(({ stream, revision }) => [stream, revision]);

  describe('reading stream by stream', () => {
    it('gives every event once, by the order of names and revisions, with its hash and no problem', async () => {
      const first = `deposit-by-stream-${crypto.randomUUID()}`;
      const names = [`${first}-10`, `${first}-2`, `${first}-1`];
      for (const name of names) await log().append(name, 'no_stream', [anEvent(), anEvent()]);
      await log().append(names[0] ?? '', 1, [anEvent()]);
      const own = (await all()).filter(({ stream }) => stream.startsWith(first));
      expect(places(own)).toEqual([
        ...[0, 1].map((revision) => [`${first}-1`, revision]),
        ...[0, 1, 2].map((revision) => [`${first}-10`, revision]),
        ...[0, 1].map((revision) => [`${first}-2`, revision]),
      ]);
      expect(own.filter(({ problem }) => problem !== undefined)).toEqual([]);
      for (const proven of own) {
        const event = proven.event();
        expect([event.metadata.hash, event.recordedAt]).toEqual([proven.hash, proven.recordedAt]);
      }
    });

    it('gives one stream alone, and nothing behind a place', async () => {
      const stream = `deposit-by-stream-${crypto.randomUUID()}`;
      const { position } = await log().append(stream, 'no_stream', [anEvent(), anEvent()]);
      await log().append(stream, 1, [anEvent()]);
      expect(places(await all({ only: stream }))).toEqual([0, 1, 2].map((revision) => [stream, revision]));
      expect(places(await all({ only: stream, upTo: position }))).toEqual([0, 1].map((revision) => [stream, revision]));
      expect(await all({ only: `${stream}-none` })).toEqual([]);
    });

    it('goes on over its pages', async () => {
      const stream = `deposit-by-stream-${crypto.randomUUID()}`;
      for (let count = 0; count < 12; count++)
        await log().append(
          stream,
          'any',
          Array.from({ length: 50 }, () => anEvent()),
        );
      expect(places(await all({ only: stream }))).toEqual(Array.from({ length: 600 }, (_, nth) => [stream, nth]));
    });
  });
};
