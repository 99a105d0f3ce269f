import { beforeEach, expect, it } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { eventually } from '../testing/eventually.ts';
import {
  type Ground,
  groundTables,
  openGround,
  PAYMENTS,
  PAYMENTS_AND_TABLES,
  payment,
  payments,
} from '../testing/ground.ts';
import { waitForPosition } from '../waiting/wait-for-position.ts';

const database = databasePerTest(...groundTables);
let ground: Ground;

beforeEach(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

const rows = async (text: string): Promise<unknown[]> => (await ground.pool.query(text)).rows;

const said = (text: string): boolean => ground.lines.some(({ message }) => message.includes(text));

/** Once the tables beside are full and wait for their turn. */
const alteredBeforeTheSwitch = async (statement: string): Promise<void> => {
  const running = ground.startAll([PAYMENTS_AND_TABLES]);
  const { position } = await ground.log.append('deposit-1', 'no_stream', [payment('1.50'), payment('2')]);
  expect(await waitForPosition({ ...payments, pool: ground.pool, position, withinMs: 5_000 })).toBe(true);
  const owner = await ground.pool.connect();
  try {
    await owner.query("BEGIN; SELECT FROM projection_checkpoints WHERE name = 'payments' FOR UPDATE");
    expect(await running.rebuild('payments')).toBe('started');
    await eventually(
      async () => said('a reader holds the tables'),
      (isHeldUp) => isHeldUp,
    );
    await ground.pool.query(statement);
  } finally {
    await owner.query('ROLLBACK');
    owner.release();
  }
  await eventually(
    () => rows('SELECT FROM projection_rebuilds'),
    (left) => left.length === 0,
  );
  expect(await rows('SELECT amount FROM payments ORDER BY amount')).toEqual([{ amount: '1.50' }, { amount: '2' }]);
  // Told behind what was written.
  await eventually(
    async () => said('is rebuilt'),
    (isSo) => isSo,
  );
};

it.each([
  ['a column', 'ALTER TABLE payments ADD COLUMN note text', 'SELECT note FROM payments'],
  [
    'a default',
    "ALTER TABLE casino_totals ADD COLUMN note text; ALTER TABLE casino_totals ALTER note SET DEFAULT 'new'",
    "SELECT FROM pg_attrdef WHERE adrelid = 'casino_totals'::regclass",
  ],
  [
    'a check',
    'ALTER TABLE payments ADD CHECK (amount < 1000)',
    "SELECT FROM pg_constraint WHERE conrelid = 'payments'::regclass AND pg_get_constraintdef(oid) LIKE '%1000%'",
  ],
])('tables that get %s while they are rebuilt are filled anew, with it', async (_, statement, look) => {
  await alteredBeforeTheSwitch(statement);
  expect((await rows(look)).length).toBeGreaterThan(0);
  expect(said('were altered')).toBe(true);
});

it('an index that comes while its table waits for the switch is there behind it, with nothing filled anew', async () => {
  await alteredBeforeTheSwitch('CREATE INDEX by_amount ON payments (amount DESC)');
  expect(await rows("SELECT FROM pg_indexes WHERE tablename = 'payments' AND indexname = 'by_amount'")).toHaveLength(1);
  expect(said('were altered')).toBe(false);
});
