import { describe, expect, it } from '@jest/globals';
import { OutcomeUnknown } from '../errors.ts';
import { all, anEvent, aStream, idsOf, refusalOf, type Suite, someEvents } from './harness.ts';
import { from, watch } from './subscribing.ts';

/** Waits, past the held connection, until the append has reached the server's log. */
const untilWritten = async ({ log }: Suite, stream: string, count: number): Promise<void> => {
  while ((await all(log().read(stream))).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
};

export const lostConnections = (suite: Suite): void => {
  const { log, server } = suite;

  describe('a connection that is cut', () => {
    it('settles an append that was written but not answered: one event, one answer', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [anEvent()]);
      const shaky = await server().open({ shaky: true });
      await all(shaky.read(stream));
      server().hold();
      const appending = shaky.append(stream, 0, [anEvent('Held')]);
      await untilWritten(suite, stream, 2);
      server().cut();
      expect(await appending).toMatchObject({ revision: 1 });
      expect(await all(log().read(stream))).toHaveLength(2);
    });

    it('says that an outcome is unknown when the log stays away, and the same append again tells', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', [anEvent()]);
      const shaky = await server().open({ shaky: true, patienceMs: 0 });
      await all(shaky.read(stream));
      server().hold();
      const event = anEvent('Held');
      const appending = refusalOf(shaky.append(stream, 0, [event]));
      await untilWritten(suite, stream, 2);
      server().cut();
      expect(await appending).toBeInstanceOf(OutcomeUnknown);
      const patient = await server().open({ shaky: true });
      expect(await patient.append(stream, 0, [event])).toMatchObject({ revision: 1 });
      expect(await all(log().read(stream))).toHaveLength(2);
    });

    it('lets the next append through after an idle connection died', async () => {
      const stream = aStream();
      const shaky = await server().open({ shaky: true });
      await shaky.append(stream, 'no_stream', [anEvent()]);
      server().cut();
      expect(await shaky.append(stream, 0, [anEvent()])).toMatchObject({ revision: 1 });
    });

    it('lets a read go on where it was', async () => {
      const stream = aStream();
      const events = someEvents(1_500, 'Read');
      await log().append(stream, 'no_stream', events);
      const shaky = await server().open({ shaky: true });
      const seen: string[] = [];
      for await (const event of shaky.read(stream)) {
        seen.push(event.id);
        if (event.revision === 10) server().cut();
      }
      expect(seen).toEqual(idsOf(events));
    });

    it('loses and doubles nothing of a subscription, through many cuts', async () => {
      const stream = aStream();
      const start = await from(log());
      const shaky = await server().open({ shaky: true });
      const watching = watch(shaky, { ...start, filter: { streamPrefixes: [stream] }, batchSize: 10 });
      for (let at = 0; at < 200; at++) {
        await log().append(stream, at === 0 ? 'no_stream' : at - 1, [anEvent()]);
        if (at % 40 === 20) server().cut();
      }
      await watching.until({ count: 200 });
      await watching.stop();
      expect(watching.seen.map((event) => event.revision)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    });
  });
};
