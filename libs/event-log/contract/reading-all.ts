import { describe, expect, it } from '@jest/globals';
import type { EventLog, RecordedEvent } from '../port.ts';
import type { Position } from '../position.ts';
import { all, anEvent, aStream, idsOf, type Suite, someEvents } from './harness.ts';

const sorted = (events: readonly RecordedEvent[]): boolean =>
  events.every((event, i) => i === 0 || (events[i - 1]?.position ?? '') < event.position);

const since = (head: Position | undefined) => (head === undefined ? {} : { after: head });

/** Writes to many streams in appends of one to three events, as fast as it can. */
const write = async (log: EventLog, prefix: string, appends: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < appends; i++) {
    const events = someEvents(1 + (i % 3));
    await log.append(aStream(prefix), 'no_stream', events);
    ids.push(...idsOf(events));
  }
  return ids;
};

/** Follows the writers by reading again and again behind the last event seen. */
const chase = async (log: EventLog, start: Position | undefined, isOver: () => boolean): Promise<RecordedEvent[]> => {
  const seen: RecordedEvent[] = [];
  for (let over = false; !over; ) {
    // Asked before the read: what was written until then must be in it.
    over = isOver();
    for await (const event of log.readAll(since(seen.at(-1)?.position ?? start))) seen.push(event);
  }
  return seen;
};

export const readingAll = ({ log, server }: Suite): void => {
  describe('reading all streams', () => {
    it('gives every event once in one order, positions as the appends were answered', async () => {
      const head = await log().head();
      const [a, b] = [aStream(), aStream()];
      const first = await log().append(a, 'no_stream', someEvents(2));
      const second = await log().append(b, 'no_stream', someEvents(2));
      const third = await log().append(a, 1, someEvents(1));
      const events = await all(log().readAll(since(head)));
      const own = events.filter((event) => [a, b].includes(event.stream));
      expect(own.map((event) => [event.stream, event.revision])).toEqual([
        [a, 0],
        [a, 1],
        [b, 0],
        [b, 1],
        [a, 2],
      ]);
      expect(sorted(events)).toBe(true);
      expect([own[1], own[3], own[4]].map((event) => event?.position)).toEqual(
        [first, second, third].map((answer) => answer.position),
      );
      expect(await log().head()).toBe(third.position);
    });

    it('starts behind a position, exclusive both ways, and finds nothing behind the last', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(5));
      const events = await all(log().read(stream));
      const third = events[2]?.position;
      if (third === undefined) throw new Error('three events were written');
      expect(idsOf(await all(log().readAll({ after: third })))).toEqual(idsOf(events.slice(3)));
      const back = await all(log().readAll({ after: third, direction: 'backwards', limit: 2 }));
      expect(idsOf(back)).toEqual(idsOf(events.slice(0, 2).toReversed()));
      const newest = await all(log().readAll({ direction: 'backwards', limit: 1 }));
      expect(idsOf(newest)).toEqual(idsOf(events.slice(4)));
      expect(await all(log().readAll(since(await log().head())))).toEqual([]);
      expect(await all(log().readAll({ limit: 0 }))).toEqual([]);
    });

    it('filters by the beginning of the stream name or by type, with a limit on what matches', async () => {
      const head = await log().head();
      const [kind, other] = [aStream('kind'), aStream('other')];
      await log().append(`${kind}-1`, 'no_stream', [anEvent('A'), anEvent('B')]);
      await log().append(`${other}-1`, 'no_stream', [anEvent('A'), anEvent('C')]);
      await log().append(`${kind}-2`, 'no_stream', [anEvent('C')]);
      const read = async (filter: Parameters<EventLog['readAll']>[0]) =>
        (await all(log().readAll({ ...since(head), ...filter }))).map((event) => `${event.stream} ${event.type}`);
      const ofKind = [`${kind}-1 A`, `${kind}-1 B`, `${kind}-2 C`];
      expect(await read({ filter: { streamPrefixes: [kind] } })).toEqual(ofKind);
      expect(await read({ filter: { streamPrefixes: [`${kind}-2`, other] } })).toEqual([
        `${other}-1 A`,
        `${other}-1 C`,
        `${kind}-2 C`,
      ]);
      expect(await read({ filter: { types: ['A', 'B'] } })).toEqual([`${kind}-1 A`, `${kind}-1 B`, `${other}-1 A`]);
      expect(await read({ filter: { streamPrefixes: [kind] }, limit: 2 })).toEqual(ofKind.slice(0, 2));
      expect(await read({ filter: { types: ['nobody wrote this'] } })).toEqual([]);
    });

    it('has no hole and no repeat while sixteen writers commit out of order', async () => {
      const start = await log().head();
      const prefix = aStream('race');
      let writing = true;
      const readers = [chase(log(), start, () => !writing), chase(await server().open(), start, () => !writing)];
      const written = await Promise.all(Array.from({ length: 16 }, () => write(log(), prefix, 60)));
      writing = false;
      const ids = written.flat().toSorted();
      for (const seen of await Promise.all(readers)) {
        const own = seen.filter((event) => event.stream.startsWith(prefix));
        expect(idsOf(own).toSorted()).toEqual(ids);
        expect(sorted(seen)).toBe(true);
      }
    });
  });
};
