import { expect, it } from '@jest/globals';
import type { EventLog, Position } from '#event-log';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { startProjections } from '../running/start-projections.ts';
import { withCopy } from '../testing/copy-of-log.ts';
import { eventually } from '../testing/eventually.ts';
import {
  groundTables,
  listenTo,
  openGround,
  PAYMENTS,
  PAYMENTS_AND_TABLES,
  payment,
  payments,
} from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const database = databasePerTest(...groundTables);

it('A log that is exchanged for an older copy right before the switch costs no row once the own one is back', async () => {
  const ground = database.closing(await openGround(database.url));
  const { pool } = ground;
  await pool.query(PAYMENTS);
  const { logger, lines } = listenTo();
  let [before, cut]: (Position | undefined)[] = [];
  let isRebuilding = false;
  const append = async (stream: string, amount: string): Promise<Position> => {
    const { position } = await ground.log.append(stream, 'no_stream', [payment(amount)]);
    expect(await waitForPosition({ ...payments, pool, position, withinMs: 5_000 })).toBe(true);
    return position;
  };
  const copied = withCopy(ground.log, { end: () => cut, lacks: ({ position }) => position > (cut ?? position) });
  const log: EventLog = {
    ...copied,
    // Traffic while it is asked whether what was shown is held; behind the answer comes the copy, for a second.
    misses: async (mark) => {
      const isMissing = await copied.misses(mark);
      if (!isRebuilding) return isMissing;
      isRebuilding = false;
      await append('deposit-2', '7');
      cut = before;
      setTimeout(() => {
        cut = undefined;
      }, 1_000);
      return isMissing;
    },
  };
  const running = startProjections({ projections: [PAYMENTS_AND_TABLES], log, pool, logger });
  before = await append('deposit-1', '1.50');
  isRebuilding = true;
  expect(await running.rebuild('payments')).toBe('started');
  const isRebuilt = async () => lines.some(({ message }) => message.includes('is rebuilt'));
  await eventually(isRebuilt, (is) => is, 20_000);
  await append('deposit-3', '9');
  const { rows } = await pool.query<{ amount: string }>('SELECT amount FROM payments ORDER BY amount');
  await running.stop();
  expect(rows.map(({ amount }) => amount)).toEqual(['1.50', '7', '9']);
}, 60_000);
