import { expect, it } from '@jest/globals';
import type { EventMark } from '#event-log';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofWebhooks } from '#webhooks';
import { databasePerTest } from '../../test/support/with-database.ts';
import { lackOfShown } from './lack-of-shown.ts';

const database = databasePerTest(ofReadModels, ofWebhooks);

const markAt = (revision: number): EventMark => {
  const place = String(revision).padStart(20, '0');
  return { stream: 'deposit-1', revision, position: `${place}.${place}`, id: `event ${revision}` } as EventMark;
};

/** As long as any, of which these stand in it. */
const logWith = (...revisions: readonly number[]) => {
  const isIn = ({ revision }: EventMark): boolean => revisions.includes(revision);
  return {
    end: async () => markAt(99).position,
    holds: async (mark: EventMark) => isIn(mark),
    misses: async (mark: EventMark) => !isIn(mark),
    async *readAll() {},
  };
};

const carried = (revision: number, { stopped = null as string | null, last = true } = {}) => {
  const mark = markAt(revision);
  return database.pool.query(
    `INSERT INTO webhook_relay (name, position, last_event, stopped_because) VALUES ('deposit-events', $1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET position = $1, last_event = $2, stopped_because = $3`,
    [mark.position, last ? JSON.stringify(mark) : null, stopped],
  );
};

const lacks = (...revisions: readonly number[]) => lackOfShown(logWith(...revisions), database.pool);

it('A log lacks nothing of what nobody was shown, nor of what it holds', async () => {
  expect(await lacks()).toBeUndefined();
  await carried(7);
  expect(await lacks(7)).toBeUndefined();
});

it('A log without what a webhook was made of last lacks that, until the relay was taken up in it', async () => {
  await carried(7);
  expect(await lacks(6)).toContain('`cointill deliveries take-up`');
  await carried(7, { stopped: 'it stands still' });
  expect(await lacks(6)).toContain('revision 7 of stream deposit-1');
  // Whose relay nobody runs goes on with its log all the same.
  expect(await lacks(7)).toBeUndefined();
  await carried(6);
  expect(await lacks(6)).toBeUndefined();
}, 30_000);

it('A relay that carried nothing of ours and stopped is known by nothing that a log holds', async () => {
  await carried(7, { stopped: 'another log', last: false });
  expect(await lacks(7)).toBe('another log');
});

it('A log without what a read model has taken last lacks that', async () => {
  await database.pool.query(
    "INSERT INTO projection_checkpoints (name, version, position, events, last_event) SELECT 'deposits', version, $1, 1, $2 " +
      'FROM generate_series(1, 50) AS version',
    [markAt(7).position, JSON.stringify(markAt(7))],
  );
  expect(await lacks(6)).toMatch(/deposits.*revision 7 of stream deposit-1/);
  expect(await lacks(7)).toBeUndefined();
}, 30_000);
