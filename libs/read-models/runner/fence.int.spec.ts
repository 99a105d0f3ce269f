import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { OwnershipLost } from '#platform/postgres';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { applications, type Ground, groundTables, openGround, PAYMENTS } from '../testing/ground.ts';
import { recordedEvents } from '../testing/recorded-events.ts';
import { applyBatch, prepare } from './apply-batch.ts';
import { makeCheckpoint, readCheckpoint, recordFailure } from './checkpoint.ts';
import { failureOf, PoisonEvent } from './failure.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;
let owners: pg.Client[];

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
  await makeCheckpoint(ground.pool, applications);
  owners = [1, 2].map(() => new pg.Client({ connectionString: database.url, pipeline: true }));
  for (const owner of owners) {
    await owner.connect();
    database.atEnd(() => owner.end());
  }
});

const progress = { onMoved: () => undefined, onTakenOneByOne: () => undefined };

describe('An owner that was replaced without knowing it', () => {
  it('writes neither rows nor checkpoint, even where the lock did not hold it back', async () => {
    const events = recordedEvents([
      { type: 'PaymentSeen', data: {} },
      { type: 'PaymentSeen', data: {} },
    ]);
    const [first, second] = events.map(({ position }) => position);
    if (!first || !second) throw new Error('two events have two positions');
    const apply = async (client: pg.Client | undefined, position: typeof first, upTo: number) => {
      const target = { client: client ?? new pg.Client(), projection: applications, tableNames: undefined };
      const place = { stored: undefined, shown: undefined, passed: 0 };
      return applyBatch(target, place, await prepare(target, { events: events.slice(0, upTo), position }), progress);
    };
    await apply(owners[0], first, 1);
    await expect(apply(owners[1], second, 2)).rejects.toThrow(OwnershipLost);
    const { rows } = await ground.pool.query(
      'SELECT event_id AS id, times, position FROM applications, projection_checkpoints',
    );
    expect(rows).toEqual([{ id: events[0]?.id, times: 1, position: first }]);
  });

  it('does not stop the projection for an event that a rebuild has passed meanwhile', async () => {
    const [event, next] = recordedEvents([
      { type: 'PaymentSeen', data: {} },
      { type: 'PaymentSeen', data: {} },
    ]);
    if (!event || !next) throw new Error('two were given');
    const stopAt = (poison: typeof event) =>
      recordFailure(ground.pool, applications, failureOf(new PoisonEvent(applications, poison, 'no'), new Date()));
    await ground.pool.query('UPDATE projection_checkpoints SET position = $1', [event.position]);
    await expect(stopAt(event)).rejects.toThrow(OwnershipLost);
    expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ state: 'running', failure: undefined });
    await stopAt(next);
    expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ state: 'stopped' });
  });
});
