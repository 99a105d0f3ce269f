import { describe, expect, it } from '@jest/globals';
import type { EventLog, RecordedEvent, SubscribeOptions, Subscription } from '../port.ts';
import type { Position } from '../position.ts';
import { anEvent, aStream, idsOf, type Suite, someEvents } from './harness.ts';

type Watch = Subscription & {
  readonly seen: RecordedEvent[];
  readonly place: () => Position | undefined;
  /** Waits until `count` events have come, or the place is behind `position`. */
  readonly until: (goal: { count?: number; position?: Position }) => Promise<void>;
};

export const watch = (log: EventLog, options: Omit<SubscribeOptions, 'onBatch'>): Watch => {
  const seen: RecordedEvent[] = [];
  let place = options.after;
  let wake = (): void => undefined;
  const subscription = log.subscribe({
    ...options,
    onBatch: async (batch) => {
      seen.push(...batch.events);
      place = batch.position;
      wake();
    },
  });
  const ended = subscription.done.then(() => {
    throw new Error(`the subscription ended after ${seen.length} events`);
  });
  ended.catch(() => undefined);
  const reached = (count: number, position: Position | undefined): boolean =>
    seen.length >= count && (position === undefined || (place !== undefined && place >= position));
  return {
    ...subscription,
    seen,
    place: () => place,
    until: async ({ count = 0, position }) => {
      while (!reached(count, position)) {
        const news = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([news, ended]);
      }
    },
  };
};

/** The end of the log as it is, so that a test sees its own events alone. */
export const from = async (log: EventLog): Promise<{ after?: Position }> => {
  const after = await log.head();
  return after === undefined ? {} : { after };
};

export const subscribing = ({ log, server }: Suite): void => {
  describe('a subscription', () => {
    it('gives what is there and then what comes, in order, exclusive of where it starts', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(2));
      const start = await from(log());
      await log().append(stream, 1, someEvents(3));
      const watching = watch(log(), { ...start, filter: { streamPrefixes: [stream] } });
      await watching.until({ count: 3 });
      for (let at = 4; at < 20; at++) await log().append(stream, at, [anEvent()]);
      await watching.until({ count: 19 });
      await watching.stop();
      expect(watching.seen.map((event) => event.revision)).toEqual(Array.from({ length: 19 }, (_, i) => i + 2));
    });

    it('starts at the beginning of the log when nothing is said', async () => {
      const stream = aStream();
      await log().append(stream, 'no_stream', someEvents(3));
      const watching = watch(log(), { filter: { streamPrefixes: [stream] } });
      await watching.until({ count: 3 });
      await watching.stop();
      expect(watching.seen).toHaveLength(3);
    });

    it('hears what another client appends', async () => {
      const stream = aStream();
      const watching = watch(log(), { ...(await from(log())), filter: { streamPrefixes: [stream] } });
      await (await server().open()).append(stream, 'no_stream', [anEvent()]);
      await watching.until({ count: 1 });
      await watching.stop();
      expect(watching.seen[0]?.stream).toBe(stream);
    });

    it('moves on over what its filter leaves out', async () => {
      const start = await from(log());
      const watching = watch(log(), { ...start, filter: { types: ['nobody writes this'] } });
      const { position } = await log().append(aStream(), 'no_stream', someEvents(400));
      await log().append(aStream(), 'no_stream', someEvents(100));
      await watching.until({ position });
      await watching.stop();
      expect(watching.seen).toEqual([]);
    });

    it('never gives more in one batch than was asked for', async () => {
      const stream = aStream();
      const start = await from(log());
      await log().append(stream, 'no_stream', someEvents(100));
      const sizes: number[] = [];
      let seen = 0;
      const subscription = log().subscribe({
        ...start,
        batchSize: 7,
        onBatch: async ({ events }) => {
          sizes.push(events.length);
          seen += events.length;
          if (seen >= 100) throw new Error('enough');
        },
      });
      await expect(subscription.done).rejects.toThrow('enough');
      expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
    });

    it('ends loudly when the handler throws, and the batch comes again to the next subscription', async () => {
      const stream = aStream();
      const filter = { streamPrefixes: [stream] };
      const start = await from(log());
      const events = someEvents(4);
      await log().append(stream, 'no_stream', events);
      // Where a batch ends is the store's to say: others write to it too.
      const handled: RecordedEvent[] = [];
      let after = start.after;
      const failing = log().subscribe({
        ...start,
        filter,
        batchSize: 2,
        onBatch: async (batch) => {
          if (batch.events.some((event) => event.revision === 2)) throw new Error('this one cannot be handled');
          handled.push(...batch.events);
          after = batch.position;
        },
      });
      await expect(failing.done).rejects.toThrow('this one cannot be handled');
      expect(handled.length).toBeLessThanOrEqual(2);
      const again = watch(log(), { filter, ...(after !== undefined && { after }) });
      await again.until({ count: 4 - handled.length });
      await again.stop();
      expect(idsOf([...handled, ...again.seen])).toEqual(idsOf(events));
    });

    it('waits for the batch under way when it is stopped, and gives nothing after', async () => {
      const start = await from(log());
      await log().append(aStream(), 'no_stream', someEvents(1));
      const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      let finished = 0;
      const subscription = log().subscribe({
        ...start,
        onBatch: async () => {
          enter();
          await gate;
          finished++;
        },
      });
      await entered;
      const stopped = subscription.stop();
      open();
      await stopped;
      expect(finished).toBe(1);
      await log().append(aStream(), 'no_stream', someEvents(1));
      await subscription.done;
      expect(finished).toBe(1);
    });

    it('gives a slow reader everything once, however fast sixteen writers are', async () => {
      const prefix = aStream('flood');
      const start = await from(log());
      const seen: string[] = [];
      const { promise: complete, resolve: finish } = Promise.withResolvers<void>();
      const subscription = log().subscribe({
        ...start,
        filter: { streamPrefixes: [prefix] },
        batchSize: 50,
        onBatch: async ({ events }) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          seen.push(...idsOf(events));
          if (seen.length >= 1_600) finish();
        },
      });
      const write = async (writer: number): Promise<string[]> => {
        const events = someEvents(100);
        for (const [i, event] of events.entries()) await log().append(`${prefix}-${writer}-${i % 10}`, 'any', [event]);
        return [...idsOf(events)];
      };
      const written = await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
      await Promise.race([complete, subscription.done]);
      await subscription.stop();
      expect(seen.toSorted()).toEqual(written.flat().toSorted());
    });

    it('names a place only when everything before it was given, however far the reader is behind', async () => {
      const prefix = aStream('far');
      const start = await from(log());
      for (let n = 0; n < 4; n++) await log().append(`${prefix}-${n}`, 'no_stream', someEvents(1_000));
      const seen: RecordedEvent[] = [];
      const tooLate: RecordedEvent[] = [];
      let place: string = start.after ?? '';
      const { promise: complete, resolve: finish } = Promise.withResolvers<void>();
      const subscription = log().subscribe({
        ...start,
        filter: { streamPrefixes: [prefix] },
        batchSize: 1,
        onBatch: async ({ events, position }) => {
          if (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 500));
          tooLate.push(...events.filter((event) => event.position <= place));
          seen.push(...events);
          place = position;
          if (seen.length >= 4_000) finish();
        },
      });
      await Promise.race([complete, subscription.done]);
      await subscription.stop();
      expect(tooLate).toEqual([]);
      expect(seen).toHaveLength(4_000);
    });
  });
};
