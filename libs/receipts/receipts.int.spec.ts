import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventLog, NewEvent } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { kycTables, openTestKyc, type TestKyc } from '#kyc/testing';
import { createLog, silentLogger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { migrations as checkpointMigrations, type RunningProjection, startProjection } from '#read-models';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations, openReceipts, type Receipts, receiptsProjection } from './index.ts';

const SMS = 'Receipt: 99.50 USD credited for 2 LTC. Deposit 7.';

const database = databasePerTest(...kycTables, logMigrations, checkpointMigrations, migrations);
let ground: TestKyc;
let log: EventLog;
let runners: RunningProjection[];
let entityId: number;
let affiliateId: number;

beforeEach(async () => {
  ground = database.closing(await openTestKyc(database.url));
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  runners = [];
  ({ entityId, affiliateId } = await ground.newCasino());
});

const follow = (): void => {
  const running = startProjection({ projection: receiptsProjection, log, pool: ground.pool, logger: silentLogger });
  runners.push(running);
  database.atEnd(running.stop);
};

const work = (): Receipts => database.closing(openReceipts({ pool: ground.pool, logger: silentLogger, pollMs: 10 }));

const contactRefOf = async (email: string | null, gamblerRef = 'g-1'): Promise<string> => {
  await ground.kyc.setPlayer({ entityId, gamblerRef, kyc: 'verified', phone: '+1' }, 'test');
  const checked = await ground.kyc.checkPlayer({ affiliateId, entityId, gamblerRef, phone: '+1', email });
  if (checked.outcome !== 'verified') throw new Error('the player is not verified');
  return checked.contactRef;
};

const event = (type: string, data: NewEvent['data']): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
});

/** As much of the two events as receipts look at. */
const accepted = async (contactRef: string | null, depositId = 7, gamblerRef = 'g-1'): Promise<void> => {
  const amounts = { playerAmount: '99.5', cryptoAmount: '2' };
  await log.append(`deposit-${depositId}`, 'no_stream', [
    event('QuoteIssued', {
      terms: { depositId, contactRef, gamblerRef, currency: 'LTC', test: true },
      amounts: { ...amounts, playerAmount: '100' },
    }),
    event('PaymentSeen', { deposit: { depositId, entityId, currency: 'LTC' } }),
    event('DepositAccepted', {
      deposit: { depositId, entityId, currency: 'LTC' },
      at: '2026-03-01T12:10:00.000Z',
      amounts,
    }),
  ]);
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; )
    if (await holds()) return;
    else await ground.pool.query('SELECT pg_sleep(0.02)');
  throw new Error('waited in vain');
};

const unsettled = async (): Promise<number> => {
  const { rows } = await ground.pool.query<{ n: number }>(
    'SELECT count(*) AS n FROM receipts_due WHERE deposit_id NOT IN (SELECT deposit_id FROM receipts_settled)',
  );
  return rows[0]?.n ?? 0;
};

const outcomes = async (): Promise<unknown[]> =>
  (await ground.pool.query<{ outcome: string }>('SELECT outcome FROM receipts_settled')).rows;

const untilSettled = (count: number): Promise<void> => until(async () => (await outcomes()).length === count);

const told = async (gamblerRef = 'g-1') =>
  (await ground.messages.list({ gamblerRef })).items.map(({ kind, to, text }) => ({ kind, to, text })).reverse();

describe('the receipt of an accepted deposit', () => {
  it('goes out by SMS, and by e-mail when an address is known, with the final amounts', async () => {
    await accepted(await contactRefOf('player@mail.example'));
    await accepted(await contactRefOf(null, 'g-2'), 8, 'g-2');
    follow();
    work();
    await untilSettled(2);
    expect(await told()).toEqual([
      { kind: 'sms', to: '+1', text: SMS },
      { kind: 'email', to: 'player@mail.example', text: SMS },
    ]);
    expect(await told('g-2')).toEqual([{ kind: 'sms', to: '+1', text: SMS.replace('7', '8') }]);
  });

  it('that nothing can be written of holds up no other, and is told loudly', async () => {
    const lines: Record<string, unknown>[] = [];
    const { logger } = createLog({ level: 'info', to: { write: (line) => lines.push(JSON.parse(line)) } });
    await accepted(await contactRefOf(null));
    await accepted(await contactRefOf(null, 'g-2'), 8, 'g-2');
    await ground.pool.query("UPDATE kyc_contacts SET phone = '' WHERE gambler_ref = 'g-1'");
    follow();
    database.closing(openReceipts({ pool: ground.pool, logger, pollMs: 10 }));
    await untilSettled(2);
    expect(await told('g-2')).toHaveLength(1);
    expect(await outcomes()).toEqual(expect.arrayContaining([{ outcome: 'not_sendable' }, { outcome: 'sent' }]));
    expect(lines).toContainEqual(expect.objectContaining({ alert: 'receipt_not_sent', level: 50, deposit_id: 7 }));
  });

  it('is read once, however many instances follow and work', async () => {
    const contactRef = await contactRefOf(null);
    for (const _ of [1, 2, 3]) {
      follow();
      work();
    }
    for (let depositId = 7; depositId < 27; depositId += 1) await accepted(contactRef, depositId);
    await untilSettled(20);
    const texts = (await told()).map(({ text }) => text);
    expect(texts).toHaveLength(20);
    expect(new Set(texts).size).toBe(20);
  });

  it('is read once, also when the whole log is followed again from the first event', async () => {
    await accepted(await contactRefOf('player@mail.example'));
    follow();
    work();
    await untilSettled(1);
    await Promise.all(runners.splice(0).map(({ stop }) => stop()));
    // Not even by its id would an old message be known any more. One by one, since the worker reads several meanwhile.
    for (const table of ['receipt_contacts', 'receipts_due', 'projection_checkpoints', 'outgoing_messages'])
      await ground.pool.query(`TRUNCATE ${table}`);
    follow();
    await accepted(await contactRefOf(null, 'g-2'), 8, 'g-2');
    await untilSettled(2);
    expect([await told(), await told('g-2')]).toEqual([[], [{ kind: 'sms', to: '+1', text: SMS.replace('7', '8') }]]);
  });

  it('is read once, also when the worker dies between the SMS and the e-mail', async () => {
    await accepted(await contactRefOf('player@mail.example'));
    follow();
    await until(async () => (await unsettled()) === 1);
    await ground.pool.query(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE TRIGGER die BEFORE INSERT ON outgoing_messages FOR EACH ROW WHEN (NEW.kind = 'email')
        EXECUTE FUNCTION die()`);
    work();
    await until(async () => {
      const { rows } = await ground.pool.query<{ deaths: number }>(
        'SELECT sessions_killed AS deaths FROM pg_stat_database WHERE datname = current_database()',
      );
      return (rows[0]?.deaths ?? 0) > 0;
    });
    expect([await unsettled(), await told()]).toEqual([1, []]);
    await ground.pool.query('DROP TRIGGER die ON outgoing_messages');
    await untilSettled(1);
    expect(await told()).toHaveLength(2);
  });

  it('is not sent, but noted, when the contact was erased or never known', async () => {
    await accepted(await contactRefOf('player@mail.example'));
    await accepted(null, 8);
    await ground.kyc.eraseContacts({ entityId, gamblerRef: 'g-1' }, 'test');
    follow();
    work();
    await untilSettled(2);
    expect(await outcomes()).toEqual([{ outcome: 'no_contact' }, { outcome: 'no_contact' }]);
    expect(await told()).toEqual([]);
  });

  it('waits for an erasure that is under way, and then finds nobody', async () => {
    await accepted(await contactRefOf('player@mail.example'));
    follow();
    await until(async () => (await unsettled()) === 1);
    await inTransaction(ground.pool, async (db) => {
      await db.query('UPDATE kyc_contacts SET phone = NULL, email = NULL, erased_at = now()');
      work();
      await until(async () => {
        const { rows } = await ground.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
        return rows.length > 0;
      });
    });
    await untilSettled(1);
    expect(await told()).toEqual([]);
  });

  it('goes out too where its log was put back, and is shorter than what was settled before', async () => {
    await accepted(await contactRefOf(null));
    follow();
    const worker = work();
    await untilSettled(1);
    await worker.close();
    // As far as the log came that is not there any more.
    await ground.pool.query("UPDATE receipts_progress SET position = 'f' || position");
    work();
    for (const depositId of [8, 9]) {
      await accepted(await contactRefOf(null, 'g-2'), depositId, 'g-2');
      await untilSettled(depositId - 6);
    }
    expect([await told(), await told('g-2')]).toMatchObject([[{ text: SMS }], [{}, {}]]);
    const { rows } = await ground.pool.query('SELECT position FROM receipts_progress');
    expect(rows).not.toEqual([{ position: expect.stringMatching(/^f/) }]);
  });

  it('goes out too for a history that was whole again only after others behind it had theirs', async () => {
    for (const depositId of [7, 8])
      await accepted(await contactRefOf(null, `g-${depositId}`), depositId, `g-${depositId}`);
    follow();
    await until(async () => (await unsettled()) === 2);
    await ground.pool.query(`CREATE TABLE late AS SELECT * FROM receipts_due WHERE deposit_id = 7`);
    await ground.pool.query('DELETE FROM receipts_due WHERE deposit_id = 7');
    const worker = work();
    await untilSettled(1);
    await worker.close();
    await ground.pool.query('INSERT INTO receipts_due SELECT * FROM late');
    work();
    await untilSettled(2);
    expect([await told('g-7'), await told('g-8')]).toMatchObject([[{ text: SMS }], [{}]]);
  });

  it('is read once, though its deposit was accepted again in a log that was put back', async () => {
    await accepted(await contactRefOf(null));
    follow();
    const worker = work();
    await untilSettled(1);
    await worker.close();
    await ground.pool.query('TRUNCATE outgoing_messages');
    await ground.pool.query("UPDATE receipts_due SET event_id = gen_random_uuid(), position = position || '0'");
    work();
    await accepted(await contactRefOf(null, 'g-2'), 8, 'g-2');
    await untilSettled(2);
    expect([await told(), await told('g-2')]).toMatchObject([[], [{}]]);
  });

  it('goes out once more where that was for other amounts, which is what its player has now', async () => {
    await accepted(await contactRefOf(null));
    follow();
    const worker = work();
    await untilSettled(1);
    await worker.close();
    const acceptedAnew = async (more: number): Promise<void> => {
      await ground.pool.query(
        `UPDATE receipts_due SET event_id = gen_random_uuid(), position = position || '0', player_amount = player_amount + ${more}`,
      );
      const again = work();
      await accepted(await contactRefOf(null, 'another'), 20 + more, 'another');
      await untilSettled(3 - more);
      await again.close();
    };
    await acceptedAnew(1);
    await acceptedAnew(0);
    expect((await told()).map(({ text }) => text)).toEqual([SMS, SMS.replace('99.50', '100.50')]);
  });
});
