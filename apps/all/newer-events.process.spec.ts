import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { depositEventVersions } from '#deposits';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { appPerFile } from './testing/app-per-file.ts';

const player = { entity_id: 1, gambler_ref: 'alice', phone: '+15550100' };

const app = appPerFile({ OPERATOR_TOKEN: 'an-operator-of-the-older-release' });
const { database, partner, operator } = app;
let newerRelease: EventLog;

beforeAll(async () => {
  newerRelease = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
});

const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await later(100);
  }
};

/** Paid, screened and confirmed: an accept would find it ready. */
const acceptableDeposit = async (): Promise<number> => {
  const { body: created } = await partner('POST', '/casino/deposit_address', {
    ...player,
    currency: 'BTC',
    amount: 100,
  });
  const id = Number(created.deposit_id);
  await operator('POST', '/engine/simulate', { deposit_id: id, scenario: 'paid' });
  return until(async () => {
    const { body: deposit } = await partner('GET', `/casino/deposit/${id}`);
    return deposit.acceptable === true && deposit.status === 'Confirmed' ? id : undefined;
  });
};

/** As an instance of the next release would, while this one is still running. */
const appendNewer = async (depositId: number) => {
  const stream = `deposit-${depositId}`;
  const revision = (await Array.fromAsync(newerRelease.read(stream))).length - 1;
  const event = {
    id: randomUUID(),
    type: 'KytReviewed',
    schemaVersion: depositEventVersions.KytReviewed + 1,
    data: { in: 'a shape of its own' },
    metadata: { occurredAt: new Date().toISOString() },
  };
  const { position } = await newerRelease.append(stream, revision, [event]);
  return { stream, revision: revision + 1, id: event.id, type: event.type, position };
};

const stoppedProjection = (name: string) =>
  until(async () => {
    const { body } = await operator('GET', '/operator/projections');
    const all = body.projections as readonly Record<string, unknown>[];
    return all.find((each) => each.name === name && each.stopped === true);
  });

describe('an event that a newer release wrote into the history of a deposit', () => {
  it('is refused by this one and never guessed at: its deposit stands still, and all others go on', async () => {
    await operator('PUT', '/operator/players', { ...player, kyc: 'verified' });
    const [touched, other] = [await acceptableDeposit(), await acceptableDeposit()];
    const newer = await appendNewer(touched);

    expect(await partner('POST', `/casino/deposit/${touched}/accept`)).toEqual({
      status: 500,
      body: { detail: 'Failed to accept deposit' },
    });
    const history = await Array.fromAsync(newerRelease.read(newer.stream));
    expect(history.at(-1)?.id).toBe(newer.id);

    const reason = expect.stringMatching(/KytReviewed has schema version 2, known up to 1: this release is older/);
    expect(await stoppedProjection('deposits')).toMatchObject({
      failure: { event: newer, reason },
      lag_events: 1,
    });
    expect(app.err() + app.out()).toMatch(
      /projection deposits\/\d+ has stopped: stream deposit-\d+, revision \d+: Kyt/,
    );

    expect(await partner('POST', `/casino/deposit/${other}/accept`)).toMatchObject({
      status: 200,
      body: { deposit_id: other, decision: 'accepted' },
    });
    expect(await partner('GET', `/casino/deposit/${other}`)).toMatchObject({ body: { decision: 'accepted' } });
  }, 60_000);

  it('is shown to operators as it is stored, with its link in the chain', async () => {
    const { id } = (await partner('GET', '/casino/deposit/2')).body;
    const newer = await appendNewer(Number(id));
    const { status, body } = await operator('GET', `/operator/deposits/${id}/events`);
    const events = body.events as readonly Record<string, unknown>[];
    expect(status).toBe(200);
    expect(events.at(-1)).toMatchObject({ revision: newer.revision, data: { in: 'a shape of its own' } });
    expect(events.at(-1)?.prev_hash).toBe(events.at(-2)?.hash);
  });
});
