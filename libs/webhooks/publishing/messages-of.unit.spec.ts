import { describe, expect, it } from '@jest/globals';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import { BrokenHistory, type JsonObject, parsePosition, type RecordedEvent } from '#event-log';
import { createHistories, messagesOf } from './index.ts';

const recordedLife = (depositId: number): readonly RecordedEvent[] =>
  history(issue({ depositId }), seen(), ofac('clear'), kyt('passed'), confirmed(), accept()).map((event, revision) => ({
    id: `event-${depositId}-${revision}`,
    stream: `deposit-${depositId}`,
    revision,
    position: parsePosition(`${String(revision).padStart(20, '0')}.${String(depositId).padStart(20, '0')}`),
    schemaVersion: 1,
    type: event.type,
    data: event.data as unknown as JsonObject,
    recordedAt: new Date('2026-03-01T12:00:00Z'),
    metadata: {
      occurredAt: '2026-03-01T12:00:00Z',
      prevHash: revision === 0 ? null : `hash-${depositId}-${revision - 1}`,
      hash: `hash-${depositId}-${revision}`,
    },
  }));

const lives = new Map([1, 2, 3].map((depositId) => [`deposit-${depositId}`, recordedLife(depositId)]));

/** A log whose streams are read to their end unless a limit says otherwise. */
const log = {
  reads: 0,
  async *read(stream: string, { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}) {
    log.reads += 1;
    yield* (lives.get(stream) ?? []).slice(0, limit);
  },
};

const onLeftOut = () => undefined;

const told = (events: readonly RecordedEvent[], capacity?: number) =>
  messagesOf(events, {
    log,
    histories: createHistories(log, capacity),
    casinoTold: async () => ({ externalCode: null }),
    onLeftOut,
  });

describe('a batch of the log', () => {
  it('is told without reading what is remembered', async () => {
    log.reads = 0;
    const life = lives.get('deposit-1') ?? [];
    expect(await told(life)).toHaveLength(8);
    expect(log.reads).toBe(0);
  });

  it('is told alike when more deposits are under way than are remembered', async () => {
    const interleaved = [...lives.values()].flat().toSorted((a, b) => a.revision - b.revision);
    expect(await told(interleaved, 1)).toEqual(await told(interleaved));
  });

  it('reads streams that are not remembered beside each other, and tells them in its order', async () => {
    const interleaved = [...lives.values()]
      .flatMap((life) => life.slice(2))
      .toSorted((a, b) => a.revision - b.revision);
    let [under, most] = [0, 0];
    const slow = {
      async *read(stream: string) {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 20));
        under -= 1;
        yield* lives.get(stream) ?? [];
      },
    };
    const casinoTold = async () => ({ externalCode: null });
    const messages = await messagesOf(interleaved, {
      log: slow,
      histories: createHistories(slow),
      casinoTold,
      onLeftOut,
    });
    expect(messages).toEqual(await told(interleaved));
    expect(most).toBe(lives.size);
  });

  it('is told alike from the middle, and again', async () => {
    const life = lives.get('deposit-2') ?? [];
    const whole = await told(life);
    const again = await told([...life, ...life.slice(2)]);
    const middle = await told(life.slice(2));
    expect(again).toEqual([...whole, ...middle]);
    expect(whole.slice(-middle.length)).toEqual(middle);
  });

  it('is keyed by deposit', async () => {
    expect(new Set((await told(lives.get('deposit-3') ?? [])).map(({ key }) => key))).toEqual(new Set(['3']));
  });

  it('comes to nothing for a casino of which nobody is told, which is asked for once', async () => {
    let asked = 0;
    const histories = createHistories(log);
    const life = lives.get('deposit-1') ?? [];
    const nobody = async () => {
      asked += 1;
      return undefined;
    };
    const untold = await messagesOf(life.slice(0, 3), { log, histories, casinoTold: nobody, onLeftOut });
    expect([untold, asked]).toEqual([[], 1]);
    const somebody = async () => ({ externalCode: null });
    const rest = await messagesOf(life.slice(3), { log, histories, casinoTold: somebody, onLeftOut });
    expect(rest).toEqual((await told(life)).slice(-rest.length));
  });

  it.each([
    [
      'has another hash than it comes to',
      (event: RecordedEvent): RecordedEvent => ({ ...event, problem: 'it was changed' }),
    ],
    [
      'does not follow the one before it',
      (event: RecordedEvent): RecordedEvent => ({ ...event, metadata: { ...event.metadata, prevHash: 'another' } }),
    ],
  ])('makes nothing of an event that %s, though what is before it is remembered', async (_, change) => {
    const life = lives.get('deposit-1') ?? [];
    const [whole, left]: [readonly RecordedEvent[], RecordedEvent[]] = [life.slice(0, 2), []];
    const proving = {
      async *read() {
        yield* whole;
        throw new BrokenHistory('its third event is not as it was written');
      },
    };
    const messages = await messagesOf([...whole, ...life.slice(2, 3).map(change)], {
      ...{ log: proving, histories: createHistories(proving), casinoTold: async () => ({ externalCode: null }) },
      onLeftOut: (event) => left.push(event),
    });
    expect(messages).toEqual(await told(whole));
    expect(left.map(({ revision }) => revision)).toEqual([2]);
  });

  it.each([
    ['all of it', 0],
    ['all from its third event on', 2],
  ])('makes nothing of an event whose stream was taken away, %s, and nothing is remembered', async (_, kept) => {
    const life = lives.get('deposit-1') ?? [];
    const left: RecordedEvent[] = [];
    const shortened = {
      async *read() {
        yield* life.slice(0, kept);
      },
    };
    const messages = await messagesOf(life.slice(3), {
      ...{ log: shortened, histories: createHistories(shortened), casinoTold: async () => ({ externalCode: null }) },
      onLeftOut: (event) => left.push(event),
    });
    expect([messages, left]).toEqual([[], life.slice(3)]);
  });

  it('is told again where its stream was behind for a moment', async () => {
    const life = lives.get('deposit-1') ?? [];
    let reads = 0;
    const behind = {
      async *read() {
        reads += 1;
        yield* reads > 2 ? life : [];
      },
    };
    const left: RecordedEvent[] = [];
    const telling = {
      ...{ log: behind, histories: createHistories(behind), casinoTold: async () => ({ externalCode: null }) },
      onLeftOut: (event: RecordedEvent) => left.push(event),
    };
    await expect(messagesOf(life.slice(3), telling)).rejects.toThrow('it ends before revision 0');
    expect([await messagesOf(life.slice(3), telling), left]).toEqual([await told(life.slice(3)), []]);
  });
});
