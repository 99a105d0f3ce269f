import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DecimalText } from '#money';
import { databasePerTest } from '../../../test/support/with-database.ts';
import {
  casino,
  deskTables,
  made,
  openTestDesk,
  request,
  type TestDesk,
  type WorldChanges,
} from '../testing/open-desk.ts';

const database = databasePerTest(...deskTables);

const open = async (changes: WorldChanges = {}): Promise<TestDesk> =>
  database.closing(await openTestDesk(database.url, changes));

describe('Idempotency-Key', () => {
  it('keeps digests of the order, which tell nothing without their key, and of no two orders that they are of one player', async () => {
    const digestsOf = async (desk: TestDesk, key: string) => {
      await desk.commands.create(request({ key }));
      const { rows } = await desk.pool.query<{ body: string; phone: string }>(
        "SELECT encode(body_hash, 'hex') AS body, encode(phone_hash, 'hex') AS phone FROM idempotency_keys WHERE key = $1",
        [key],
      );
      return { body: rows[0]?.body, phone: rows[0]?.phone };
    };
    const desk = await open();
    const first = await digestsOf(desk, 'k');
    const another = await digestsOf(desk, 'another');
    expect([another.body === first.body, another.phone === first.phone]).toEqual([true, false]);
    const elsewhere = await open({ bodyKey: Buffer.from('another key') });
    await desk.pool.query("DELETE FROM idempotency_keys WHERE key = 'k'");
    const third = await digestsOf(elsewhere, 'k');
    expect([third.body === first.body, third.phone === first.phone]).toEqual([false, false]);
  });

  it('refuses another phone, as any other body', async () => {
    const desk = await open();
    const asked = request({ key: 'k' });
    const { terms } = made(await desk.commands.create(asked));
    expect(await desk.commands.create({ ...asked, phone: '+15550199' })).toEqual({
      ...{ outcome: 'refused', refusal: { refusal: 'key_of_another_body' } },
    });
    expect(made(await desk.commands.create(asked)).terms.depositId).toBe(terms.depositId);
  });

  it('is the same with any phone where a release before this one has written it, or given it another deposit', async () => {
    const desk = await open();
    const asked = request({ key: 'k' });
    const older = async (change: string): Promise<void> =>
      void (await desk.pool.query(`UPDATE idempotency_keys SET ${change}`));
    const { terms } = made(await desk.commands.create(asked));
    await older('phone_hash = NULL, phone_of = NULL');
    const again = made(await desk.commands.create({ ...asked, phone: '+15550199' }));
    await older("phone_hash = 'x', phone_of = deposit_id + 1");
    const once = made(await desk.commands.create({ ...asked, phone: '+15550188' }));
    expect([again.terms.depositId, once.terms.depositId]).toEqual([terms.depositId, terms.depositId]);
  });

  it('is of the same body across an upgrade: what a later release adds counts where it says something', async () => {
    const desk = await open();
    const asked = request({ key: 'k' });
    const { terms } = made(await desk.commands.create(asked));
    const later = (added: object) => desk.commands.create({ ...asked, ...added });
    const again = made(await later({ added: null, addedFlag: false }));
    expect(again.terms.depositId).toBe(terms.depositId);
    for (const added of [{ added: 'a word' }, { addedFlag: true }, { machineId: 'm-1' }])
      expect(await later(added)).toMatchObject({ refusal: { refusal: 'key_of_another_body' } });
  });

  it('keeps the digest that releases before this one have kept', async () => {
    const desk = await open();
    await desk.commands.create(request({ key: 'k' }));
    const flags = { amountIsCrypto: false, instant: false, noConf: false };
    const nothing = { email: null, machineId: null };
    const asked = { amount: '100', currency: 'BTC', entityId: casino.id, gamblerRef: 'p-1', ...flags, ...nothing };
    const body = Object.entries(asked).toSorted();
    const digest = createHmac('sha256', 'a key of tests').update(JSON.stringify(body)).digest();
    const { rows } = await desk.pool.query('SELECT body_hash FROM idempotency_keys');
    expect(rows).toEqual([{ body_hash: digest }]);
  });

  it('gives the same answer for 24 hours from the call that made the deposit, though others were refused before', async () => {
    let rate: 'unavailable' | DecimalText = 'unavailable';
    const desk = await open({ currentRate: async () => rate });
    const asked = request({ key: 'k' });
    const pass = (hours: number) =>
      desk.pool.query(
        `UPDATE idempotency_keys SET created_at = created_at - ${hours} * interval '1 hour', in_flight_until = now()`,
      );
    expect(await desk.commands.create(asked)).toMatchObject({ outcome: 'refused' });
    await pass(2);
    rate = '50000' as DecimalText;
    const { terms } = made(await desk.commands.create(asked));
    for (const hours of [11, 12]) {
      await pass(hours);
      expect(made(await desk.commands.create(asked)).terms.depositId).toBe(terms.depositId);
    }
    await pass(1);
    expect(made(await desk.commands.create(asked)).terms.depositId).not.toBe(terms.depositId);
  });

  it('tells which of its deposits were asked for once more: one of which nothing is left is made again, as it was', async () => {
    const repeated: number[] = [];
    const onRepeat = async (id: number) => void repeated.push(id);
    let desk = await open({ onRepeat });
    const asked = request({ key: 'k' });
    const first = made(await desk.commands.create(asked));
    const { depositId } = first.terms;
    expect(repeated).toEqual([]);
    await desk.close();
    await database.pool.query('ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events');
    desk = await open({ onRepeat: () => Promise.reject(new Error('the database is away')) });
    await expect(desk.commands.create(asked)).rejects.toThrow('the database is away');
    desk = await open({ onRepeat });
    const again = made(await desk.commands.create(asked));
    expect([again.terms.depositId, again.address, repeated]).toEqual([depositId, first.address, [depositId]]);
    expect(await desk.eventsOf(depositId)).toHaveLength(2);
  });

  it('is free for another body once its day is over, though its call was repeated a moment before', async () => {
    const desk = await open();
    const asked = request({ key: 'k' });
    const { terms } = made(await desk.commands.create(asked));
    const pass = (change: string) => desk.pool.query(`UPDATE idempotency_keys SET ${change}`);
    await pass('in_flight_until = now()');
    await desk.commands.create(asked);
    await pass("created_at = now() - interval '24 hours'");
    const another = made(await desk.commands.create({ ...asked, phone: '+15550199' }));
    expect(another.terms.depositId).not.toBe(terms.depositId);
  });
});
