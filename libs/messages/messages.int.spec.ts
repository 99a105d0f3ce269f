import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { databasePerTest } from '../../test/support/with-database.ts';
import {
  enqueueMessage,
  eraseMessages,
  type Message,
  type Messages,
  migrations,
  openMessages,
  parseSmtpUrl,
  type SendingMessages,
  type SendingOptions,
  simulatedCarrier,
  smtpCarrier,
  startSendingMessages,
} from './index.ts';
import { createSettleSent } from './sending/settle.ts';
import { aMessage } from './testing/carrier-contract.ts';
import { eventually } from './testing/eventually.ts';
import { startSilentServer } from './testing/silent-server.ts';
import { type SmtpServer, startSmtpServer } from './testing/smtp-server.ts';

const database = databasePerTest(migrations);
let smtp: SmtpServer;

beforeEach(async () => {
  smtp = await startSmtpServer();
  database.atEnd(smtp.stop);
});

const open = (changes: Partial<SendingOptions> = {}): Messages & SendingMessages => {
  const settings = parseSmtpUrl(smtp.url);
  if (!settings) throw new Error('the URL of the test server is not understood');
  const carriers = { sms: simulatedCarrier(), email: smtpCarrier(settings) };
  const { pool } = database;
  const sending = startSendingMessages({ pool, logger: silentLogger, carriers, pollMs: 10, ...changes });
  database.atEnd(sending.stop);
  return { ...openMessages(pool), ...sending };
};

const stateOf = async ({ id }: Message) => {
  const { rows } = await database.pool.query<{ state: string; attempts: number; error: string | null; due: boolean }>(
    'SELECT state, attempts, error, next_attempt_at <= clock_timestamp() AS due FROM outgoing_messages WHERE id = $1',
    [id],
  );
  return rows[0];
};

const untilState = (message: Message, state: string): Promise<void> =>
  eventually(async () => expect((await stateOf(message))?.state).toBe(state));

/** As if the pause, or the lease of an instance that died, were over. */
const makeDue = ({ id }: Message) =>
  database.pool.query('UPDATE outgoing_messages SET next_attempt_at = clock_timestamp() WHERE id = $1', [id]);

const WAITING = `
  SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const waiting = async () => (await database.pool.query<{ waiting: number }>(WAITING)).rows[0]?.waiting;

describe('messages to players', () => {
  it('are listed newest first as soon as they are enqueued, by phone and by player', async () => {
    const messages = open({ pollMs: 60_000 });
    await messages.enqueue(aMessage('sms', { to: '+1', gamblerRef: 'g-1', text: 'first', link: 'http://a/kyc/1' }));
    await messages.enqueue(aMessage('sms', { to: '+2', gamblerRef: 'g-2', text: 'second' }));
    await messages.enqueue(aMessage('email', { to: 'p@mail.example', gamblerRef: 'g-1', text: 'third' }));
    const texts = async (filters: Parameters<Messages['list']>[0]) =>
      (await messages.list(filters)).items.map(({ text }) => text);
    expect(await texts({})).toEqual(['third', 'second', 'first']);
    expect(await texts({ phone: '+2' })).toEqual(['second']);
    expect(await texts({ gamblerRef: 'g-1' })).toEqual(['third', 'first']);
    const { next_cursor } = await messages.list({ limit: 2 });
    expect(await texts({ cursor: Number(next_cursor) })).toEqual(['first']);
    expect((await messages.list({ phone: '+1' })).items).toEqual([
      { kind: 'sms', to: '+1', text: 'first', link: 'http://a/kyc/1', at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('are one message when the same id is enqueued twice', async () => {
    const messages = open();
    const message = aMessage('email');
    await Promise.all([messages.enqueue(message), messages.enqueue(message)]);
    await untilState(message, 'sent');
    await messages.enqueue(message);
    expect((await messages.list({})).items).toHaveLength(1);
    expect(smtp.received).toHaveLength(1);
  });

  it('are there only if their reason is', async () => {
    const messages = open();
    const rolledBack = inTransaction(database.pool, async (db) => {
      await enqueueMessage(db, aMessage('sms'));
      throw new Error('the reason fell away');
    });
    await expect(rolledBack).rejects.toThrow('the reason fell away');
    expect((await messages.list({})).items).toEqual([]);
  });

  it('go out once each, however many instances send', async () => {
    const senders = [open(), open(), open()];
    const all = Array.from({ length: 60 }, (_, nth) => aMessage('email', { to: `p${nth}@mail.example` }));
    await Promise.all(all.map((message, nth) => senders[nth % 3]?.enqueue(message)));
    await eventually(() => expect(smtp.received.length).toBeGreaterThanOrEqual(60));
    await Promise.all(all.map((message) => untilState(message, 'sent')));
    expect(smtp.received.map(({ to }) => to[0]).sort()).toEqual(all.map(({ to }) => `<${to}>`).sort());
  });

  it('are tried again after a pause, under the same Message-ID, until the server takes them', async () => {
    const messages = open();
    const message = aMessage('email');
    smtp.refuse('451 not now');
    await messages.enqueue(message);
    await eventually(async () => expect((await stateOf(message))?.error).toMatch(/451 not now/));
    expect(await stateOf(message)).toMatchObject({ state: 'queued', attempts: 1, due: false });
    smtp.refuse(undefined);
    await makeDue(message);
    await untilState(message, 'sent');
    expect(await stateOf(message)).toMatchObject({ attempts: 2, error: null });
    expect(smtp.received[0]?.data).toContain(`<${message.id}@casino.example>`);
  });

  it('are given up after the last attempt, kept, and told loudly', async () => {
    const errors: object[] = [];
    const logger = { ...silentLogger, warn: () => undefined, error: (fields: object) => errors.push(fields) };
    const messages = open({ attempts: 2, logger: logger as unknown as SendingOptions['logger'] });
    const message = aMessage('email');
    smtp.refuse('550 no such player');
    await messages.enqueue(message);
    await eventually(async () => expect((await stateOf(message))?.error).toMatch(/550/));
    expect(errors).toEqual([]);
    await makeDue(message);
    await untilState(message, 'failed');
    expect(errors).toMatchObject([{ message: message.id, kind: 'email', attempt: 2 }]);
    await makeDue(message);
    smtp.refuse(undefined);
    const later = aMessage('email');
    await messages.enqueue(later);
    await untilState(later, 'sent');
    expect(smtp.received).toHaveLength(1);
    expect((await messages.list({})).items).toHaveLength(2);
  });

  it('whose instance died while it sent are sent by another when the lease is over', async () => {
    const message = aMessage('email', { id: randomUUID() });
    await enqueueMessage(database.pool, message);
    await database.pool.query(
      `UPDATE outgoing_messages SET attempts = 1, next_attempt_at = clock_timestamp() + interval '1 minute'`,
    );
    const messages = open();
    const other = aMessage('email');
    await messages.enqueue(other);
    await untilState(other, 'sent');
    expect(await stateOf(message)).toMatchObject({ state: 'queued' });
    await makeDue(message);
    await untilState(message, 'sent');
    expect(smtp.received).toHaveLength(2);
  });

  it('by SMS go out while a mail server takes connections and never answers', async () => {
    const silent = await startSilentServer();
    database.atEnd(silent.stop);
    const settings = parseSmtpUrl(`smtp://127.0.0.1:${silent.port}?from=receipts@casino.example`);
    if (!settings) throw new Error('the URL of the test server is not understood');
    const messages = open({ carriers: { sms: simulatedCarrier(), email: smtpCarrier(settings) } });
    const [mail, sms] = [aMessage('email'), aMessage('sms')];
    await messages.enqueue(mail);
    await eventually(() => expect(silent.connections()).toBe(1));
    const start = performance.now();
    await messages.enqueue(sms);
    await untilState(sms, 'sent');
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(await stateOf(mail)).toMatchObject({ state: 'queued', attempts: 1 });
    await silent.stop();
  });

  it('can be erased, those of one player alone', async () => {
    const messages = open();
    await messages.enqueue(aMessage('sms', { to: '+1', gamblerRef: 'g-1' }));
    await messages.enqueue(aMessage('sms', { to: '+1', gamblerRef: 'g-2' }));
    await messages.enqueue(aMessage('sms', { to: '+1', gamblerRef: 'g-1', entityId: 2, text: "another casino's" }));
    await eraseMessages(database.pool, { entityId: 1, gamblerRef: 'g-1', recipients: ['+1'] });
    expect((await messages.list({ gamblerRef: 'g-1' })).items).toMatchObject([{ text: "another casino's" }]);
    expect((await messages.list({ gamblerRef: 'g-2' })).items).toHaveLength(1);
  });

  it('are locked in one order by whoever erases them and by whoever notes that they were sent', async () => {
    const [low, high] = ['0', 'f'].map((digit) => aMessage('sms', { id: randomUUID().replace(/^./, digit), to: '+1' }));
    if (!low || !high) throw new Error('two messages are wanted');
    await enqueueMessage(database.pool, high);
    await enqueueMessage(database.pool, low);
    const settleSent = createSettleSent(database.pool);
    const erasure = { entityId: 1, gamblerRef: 'g-1', recipients: ['+1'] };
    for (const work of [
      () => Promise.all([high, low].map((message) => settleSent({ message, attempt: 0 }))),
      () => eraseMessages(database.pool, erasure),
    ]) {
      let done: Promise<unknown> = Promise.resolve();
      await inTransaction(database.pool, async (holder) => {
        await holder.query('SELECT FROM outgoing_messages WHERE id = $1 FOR UPDATE', [low.id]);
        done = work();
        await eventually(async () => expect(await waiting()).toBe(1));
        await holder.query('SELECT FROM outgoing_messages WHERE id = $1 FOR UPDATE NOWAIT', [high.id]);
      });
      await done;
    }
    expect(await stateOf(low)).toBeUndefined();
  });
});
