import { describe, expect, it } from '@jest/globals';
import type { EventLog } from '../port.ts';
import { all, anEvent, aStream, idsOf, type Suite } from './harness.ts';
import { from, watch } from './subscribing.ts';

/** Appends one event after the other to a stream of its own until told to stop; gives what was acknowledged. */
const writeUntil = async (log: EventLog, stream: string, isOver: () => boolean): Promise<string[]> => {
  const acknowledged: string[] = [];
  while (!isOver()) {
    const event = anEvent();
    const at = acknowledged.length - 1;
    await log.append(stream, at < 0 ? 'no_stream' : at, [event]);
    acknowledged.push(event.id);
  }
  return acknowledged;
};

export const crashes = ({ log, server }: Suite, leftOut: string | undefined): void => {
  const crashing = leftOut === undefined ? describe : describe.skip;
  crashing(`a server that dies and comes back${leftOut ? ` (${leftOut})` : ''}`, () => {
    it('has every acknowledged event once, and its subscribers see each once', async () => {
      const prefix = aStream('crash');
      const patient = await server().open({ patienceMs: 60_000 });
      const watching = watch(patient, { ...(await from(log())), filter: { streamPrefixes: [prefix] } });
      let over = false;
      const streams = Array.from({ length: 8 }, (_, writer) => `${prefix}-${writer}`);
      const writers = streams.map((stream) => writeUntil(patient, stream, () => over));
      for (let crash = 0; crash < 3; crash++) {
        await watching.until({ count: watching.seen.length + 100 });
        await server().crash?.();
      }
      await watching.until({ count: watching.seen.length + 100 });
      over = true;
      const acknowledged = await Promise.all(writers);
      for (const [writer, stream] of streams.entries())
        expect(idsOf(await all(patient.read(stream)))).toEqual(acknowledged[writer]);
      const total = acknowledged.flat().length;
      await watching.until({ count: total });
      await watching.stop();
      expect(watching.seen).toHaveLength(total);
      expect(new Set(idsOf(watching.seen))).toEqual(new Set(acknowledged.flat()));
    });

    it('still recognises a repeat', async () => {
      const stream = aStream();
      const patient = await server().open({ patienceMs: 60_000 });
      const [first, second] = [anEvent(), anEvent()];
      const started = await patient.append(stream, 'no_stream', [first]);
      const continued = await patient.append(stream, 0, [second]);
      await server().crash?.();
      expect(await patient.append(stream, 'no_stream', [first])).toEqual(started);
      expect(await patient.append(stream, 0, [second])).toEqual(continued);
      expect(await all(patient.read(stream))).toHaveLength(2);
    });
  });
};
