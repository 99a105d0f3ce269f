import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { parsePosition, type RecordedEvent } from '#event-log';
import { LONG, shareLog } from './shared-log.ts';

const eventAt = (stream: string, revision: number): RecordedEvent => ({
  ...{ stream, revision, id: `event-${revision}`, type: 'PaymentSeen', schemaVersion: 1, data: {} },
  position: parsePosition(`${'0'.repeat(20)}.${String(revision).padStart(20, '0')}`),
  recordedAt: new Date('2026-03-01T12:00:00Z'),
  metadata: { occurredAt: '2026-03-01T12:00:00Z', prevHash: null, hash: '' },
});

/** A log whose streams have so many events; while it is held, no read of it comes to its end. */
const house = (length: number) => {
  let held = Promise.withResolvers<void>();
  let [begun, underWay] = [0, 0];
  const logOf = shareLog({
    append: () => Promise.reject(new Error('nothing is written here')),
    async *read(stream) {
      [begun, underWay] = [begun + 1, underWay + 1];
      try {
        for (let revision = 0; revision < length; revision++) yield eventAt(stream, revision);
        await held.promise;
      } finally {
        underWay -= 1;
      }
    },
  });
  held.resolve();
  return {
    logOf,
    hold: () => {
      held = Promise.withResolvers();
      begun = 0;
    },
    letGo: () => held.resolve(),
    begun: () => begun,
    underWay: () => underWay,
    read: async (affiliateId: number, stream: string): Promise<readonly number[]> =>
      (await Array.fromAsync(logOf(affiliateId).read(stream))).map(({ revision }) => revision),
  };
};

const revisions = (count: number): readonly number[] => Array.from({ length: count }, (_, revision) => revision);

describe('the log as the calls of one partner read it', () => {
  it.each([LONG, LONG + 1, 3 * LONG])('gives each of %i events once, in order, each time', async (length) => {
    const { read } = house(length);
    for (const _ of [1, 2]) expect(await read(1, 'deposit-1')).toEqual(revisions(length));
  });

  it('lets nobody wait for a history that is no longer than others', async () => {
    const { read, hold, letGo, underWay } = house(LONG);
    hold();
    const reads = Array.from({ length: 100 }, () => read(1, 'deposit-1'));
    await turn();
    expect(underWay()).toBe(100);
    letGo();
    await Promise.all(reads);
  });

  it('reads long histories one at a time for each partner, and nothing of those that wait', async () => {
    const { read, hold, letGo, begun, underWay } = house(LONG + 1);
    for (const stream of ['deposit-1', 'deposit-2']) await read(1, stream);
    hold();
    const reads = Array.from({ length: 100 }, (_, nth) => read(1, `deposit-${1 + (nth % 2)}`));
    await turn();
    expect([begun(), underWay()]).toEqual([1, 1]);
    const others = read(2, 'deposit-1');
    await turn();
    expect([begun(), underWay()]).toEqual([2, 2]);
    letGo();
    for (const each of await Promise.all([...reads, others])) expect(each).toEqual(revisions(LONG + 1));
  });

  it('finds out of a history that nobody has read before that it is long', async () => {
    const { read, hold, letGo, underWay } = house(LONG + 1);
    hold();
    const reads = Array.from({ length: 100 }, () => read(1, 'deposit-1'));
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(underWay()).toBe(1);
    letGo();
    for (const each of await Promise.all(reads)) expect(each).toEqual(revisions(LONG + 1));
  });

  it('has room again behind one that left in the middle', async () => {
    const { logOf, read } = house(2 * LONG);
    for (const _ of [1, 2]) for await (const { revision } of logOf(1).read('deposit-1')) if (revision === 70) break;
    expect(await read(1, 'deposit-1')).toEqual(revisions(2 * LONG));
  });

  it('lets pass who asks for a part', async () => {
    const { logOf, read, hold, letGo } = house(LONG + 1);
    await read(1, 'deposit-1');
    hold();
    const before = read(1, 'deposit-1');
    for await (const { revision } of logOf(1).read('deposit-1', { limit: 1 })) {
      expect(revision).toBe(0);
      break;
    }
    letGo();
    await before;
  });
});
