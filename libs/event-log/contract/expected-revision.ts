import { describe, expect, it } from '@jest/globals';
import { InvalidAppend, WrongExpectedRevision } from '../errors.ts';
import type { EventLog, ExpectedRevision, NewEvent } from '../port.ts';
import { all, anEvent, aStream, idsOf, refusalOf, type Suite, someEvents } from './harness.ts';

/** An optimistic writer: takes the revision that a refusal names and tries again. */
const appendAtLast = async (log: EventLog, stream: string, from: number, event: NewEvent): Promise<number> => {
  for (let at = from; ; ) {
    try {
      return (await log.append(stream, at, [event])).revision;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      at = Number(error.actual);
    }
  }
};

export const expectedRevisions = ({ log }: Suite): void => {
  describe('expected revision', () => {
    it.each<ExpectedRevision>(['no_stream', 'any'])('starts a stream under %s', async (expected) => {
      const stream = aStream();
      expect(await log().append(stream, expected, [anEvent()])).toMatchObject({ revision: 0 });
    });

    it.each<ExpectedRevision>(['stream_exists', 0, 5])('refuses to start a stream under %s', async (expected) => {
      const stream = aStream();
      const refusal = await refusalOf(log().append(stream, expected, [anEvent()]));
      expect(refusal).toBeInstanceOf(WrongExpectedRevision);
      expect(refusal).toMatchObject({ stream, expected, actual: 'no_stream' });
      expect(await all(log().read(stream))).toEqual([]);
    });

    it.each<ExpectedRevision>([1, 'any', 'stream_exists'])('goes on behind revision 1 under %s', async (expected) => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(2));
      expect(await log().append(stream, expected, someEvents(2))).toMatchObject({ revision: 3 });
    });

    it.each<ExpectedRevision>(['no_stream', 0, 2, 7])('refuses a stream at revision 1 under %s', async (expected) => {
      const stream = aStream();
      const first = someEvents(2);
      await log().append(stream, 'no_stream', first);
      const refusal = await refusalOf(log().append(stream, expected, someEvents(3)));
      expect(refusal).toBeInstanceOf(WrongExpectedRevision);
      expect(refusal).toMatchObject({ stream, expected, actual: 1 });
      expect(idsOf(await all(log().read(stream)))).toEqual(idsOf(first));
    });

    it.each([-1, 0.5, Number.NaN])('does not take %s for a revision', async (expected) => {
      expect(await refusalOf(log().append(aStream(), expected, [anEvent()]))).toBeInstanceOf(InvalidAppend);
    });

    it('lets exactly one of sixteen writers win each revision, and loses nothing', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [anEvent()]);
      const winners: number[] = [];
      const write = async (writer: number): Promise<void> => {
        let at = 0;
        for (const event of someEvents(5, `Won by ${writer}`)) {
          at = await appendAtLast(log(), stream, at, event);
          winners.push(at);
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
      expect(winners.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
      const stored = await all(log().read(stream));
      expect(stored.map((event) => event.revision)).toEqual(Array.from({ length: 81 }, (_, i) => i));
    });

    it('takes sixteen writers under any, each exactly once', async () => {
      const stream = aStream();
      const events = someEvents(16);
      const answers = await Promise.all(events.map((event) => log().append(stream, 'any', [event])));
      expect(new Set(answers.map((answer) => answer.revision)).size).toBe(16);
      expect(new Set(idsOf(await all(log().read(stream))))).toEqual(new Set(idsOf(events)));
    });
  });
};
