import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { aStream } from '../contract/harness.ts';
import type { AppendOutcome, EventToStore } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import { appendTogether } from './append-together.ts';
import { createAppender } from './appender.ts';
import { migrations } from './index.ts';

const database = databasePerFile(migrations);

const anEvent = (data = '{}'): EventToStore => ({
  id: randomUUID(),
  type: 'PaymentSeen',
  data,
  metadata: { schema_version: 1, occurred_at: '2026-11-21T10:00:00.000Z', prev_hash: null, hash: data },
});

type Append = { stream: string; revision: number; event: EventToStore };

const together = async (...appends: Append[]): Promise<AppendOutcome[]> =>
  Promise.all(
    await appendTogether(
      database.pool,
      appends.map(({ stream, revision, event }) => ({ stream, first: revision, events: [event] })),
    ),
  );

const alone = ({ stream, revision, event }: Append) => appendToStream(database.pool, stream, revision - 1, [event]);

const stored = async (stream: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM events WHERE stream = $1 ORDER BY revision',
    [stream],
  );
  return rows.map(({ id }) => id);
};

describe('Appends that go together in one statement', () => {
  it('stand or fall alone: new, going on, repeated, in conflict, and behind a gap', async () => {
    const [fresh, old, taken, gap] = [aStream(), aStream(), aStream(), aStream()];
    const [first, second, winner] = [anEvent(), anEvent(), anEvent()];
    const started = await alone({ stream: old, revision: 0, event: first });
    await alone({ stream: taken, revision: 0, event: winner });
    await alone({ stream: gap, revision: 0, event: anEvent() });
    const outcomes = await together(
      { stream: fresh, revision: 0, event: anEvent() },
      { stream: old, revision: 0, event: first },
      { stream: old, revision: 1, event: second },
      { stream: taken, revision: 0, event: anEvent() },
      { stream: gap, revision: 5, event: anEvent() },
    );
    expect(outcomes).toMatchObject([
      { kind: 'appended', revision: 0 },
      started,
      { kind: 'appended', revision: 1 },
      { kind: 'conflict', actual: 0 },
      { kind: 'conflict', actual: 0 },
    ]);
    expect(await stored(old)).toEqual([first.id, second.id]);
    expect(await stored(taken)).toEqual([winner.id]);
    expect(await stored(gap)).toHaveLength(1);
  });

  it('let one of several win a place, and tell the others', async () => {
    const stream = aStream();
    const rivals = Array.from({ length: 10 }, () => anEvent());
    const outcomes = await together(...rivals.map((event) => ({ stream, revision: 0, event })));
    const winners = rivals.filter((_, i) => outcomes[i]?.kind === 'appended');
    expect(winners.map(({ id }) => id)).toEqual(await stored(stream));
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(9);
  });

  it('answer every copy of one event alike, and store it once', async () => {
    const stream = aStream();
    const event = anEvent();
    const [one, ...others] = await together(...Array.from({ length: 5 }, () => ({ stream, revision: 0, event })));
    expect(one).toMatchObject({ kind: 'appended', revision: 0 });
    for (const other of others) expect(other).toEqual(one);
    expect(await stored(stream)).toEqual([event.id]);
  });

  it('never wait for each other in a ring, in whatever order they name their streams', async () => {
    const streams = Array.from({ length: 100 }, () => aStream());
    for (let revision = 0; revision < 20; revision++) {
      const rivals = [streams, streams.toReversed(), streams, streams.toReversed()].map((order) =>
        together(...order.map((stream) => ({ stream, revision, event: anEvent() }))),
      );
      const appended = (await Promise.all(rivals)).flat().filter(({ kind }) => kind === 'appended');
      expect(appended).toHaveLength(streams.length);
    }
  });
});

describe('Appends of several events', () => {
  const pair = (stream: string, first = 0) => ({ stream, first, events: [anEvent(), anEvent()] });

  it('share a statement, each whole and in its order', async () => {
    const [one, other] = [pair(aStream()), pair(aStream())];
    const outcomes = await Promise.all(await appendTogether(database.pool, [one, other, pair(aStream(), 3)]));
    expect(outcomes).toMatchObject([
      { kind: 'appended', revision: 1 },
      { kind: 'appended', revision: 1 },
      { kind: 'conflict', actual: 'no_stream' },
    ]);
    for (const { stream, events } of [one, other]) expect(await stored(stream)).toEqual(events.map(({ id }) => id));
  });

  it('are never written in part: where one meets a place that is taken, each is judged alone', async () => {
    const append = createAppender(database.pool);
    const [free, taken, repeated] = [pair(aStream()), pair(aStream()), pair(aStream())];
    const winner = anEvent();
    await appendToStream(database.pool, taken.stream, -1, [winner]);
    const all = [free, taken, repeated, repeated, pair(aStream())];
    const outcomes = await Promise.all(all.map(({ stream, first, events }) => append(stream, first - 1, events)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['appended', 'conflict', 'appended', 'appended', 'appended']);
    expect(await stored(taken.stream)).toEqual([winner.id]);
    expect(await stored(repeated.stream)).toEqual(repeated.events.map(({ id }) => id));
  });
});

describe('An append that is alone', () => {
  it.each([1, 2])('leaves no gap: %s events behind a revision that is not there are a conflict', async (count) => {
    const [stream, missing] = [aStream(), aStream()];
    await alone({ stream, revision: 0, event: anEvent() });
    const events = Array.from({ length: count }, () => anEvent());
    expect(await appendToStream(database.pool, stream, 3, events)).toEqual({ kind: 'conflict', actual: 0 });
    expect(await appendToStream(database.pool, missing, 3, events)).toEqual({ kind: 'conflict', actual: 'no_stream' });
    expect(await stored(stream)).toHaveLength(1);
    expect(await stored(missing)).toEqual([]);
  });
});
