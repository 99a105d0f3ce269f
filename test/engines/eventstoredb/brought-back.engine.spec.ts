import { cpSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { done, eventually, type Service } from '../../acceptance/harness/index.ts';
import { copyOfDatabase, putBack as putBackDatabase } from '../../support/database.ts';
import { connect, event } from './support/client.ts';
import { puttingBack, shownAs, untilWritten } from './support/put-back.ts';

const { aDirectory, opened } = puttingBack('brought-back');

/** Of somebody else on the same server. */
const othersWrite = async (url: string, count: number): Promise<void> => {
  const client = connect(url);
  for (let n = 0; n < count; n++) await client.appendToStream(`others-${n % 7}`, event(n, 'x'.repeat(500)));
  await client.dispose();
};

it.each(['putBack', 'exchange'] as const)(
  'A copy of the log that lacks nothing but what others wrote is gone on in, and all that comes is shown and told (%s)',
  async (way) => {
    const served = await opened();
    const { service, directory, casino } = served;
    const before = await (await casino.deposit()).settle();
    expect(await before.accept()).toMatchObject({ status: 200 });
    await shownAs(casino, before, 'accepted');
    await later(2_000);
    const copy = aDirectory();
    cpSync(directory, copy, { recursive: true });
    await othersWrite(served.settings.EVENTSTORE_URL, 200);
    // As far as places are written without a row.
    await later(5_000);
    await served[way](copy);
    await untilWritten(casino, 60_000);
    const next = await (await casino.deposit()).settle();
    expect(await next.accept()).toMatchObject({ status: 200 });
    await shownAs(casino, next, 'accepted');
    const told = async () => (await service.operator('GET', '/operator/deliveries?limit=100')).text;
    await eventually(told, (text) => text.includes(String(next.id)), 30_000);
    expect((await service.call('GET', '/health/ready')).text).not.toContain('alarms');
  },
  300_000,
);

const placesOf = async ({ operator }: Service): Promise<readonly string[]> =>
  (done(await operator('GET', '/operator/projections')).projections as readonly { position: string }[]).map(
    ({ position }) => position,
  );

it.each(['putBack', 'exchange'] as const)(
  'What nobody had taken before such a copy came is shown and told once the own log is there again (%s)',
  async (way) => {
    const served = await opened();
    const { service, settings, directory, casino, whileStopped, putBack } = served;
    const url = settings.EVENTSTORE_URL;
    const [before, untaken] = [await casino.deposit(), await casino.deposit()];
    await before.settle();
    expect(await before.accept()).toMatchObject({ status: 200 });
    await untaken.settle();
    await shownAs(casino, before, 'accepted');
    const [copy, own] = [aDirectory(), aDirectory()];
    await later(2_000);
    cpSync(directory, copy, { recursive: true });
    await othersWrite(url, 200);
    // As far as places are written without a row.
    await later(5_000);
    const stood = await placesOf(service);
    const databases: Awaited<ReturnType<typeof copyOfDatabase>>[] = [];
    await whileStopped(async () => void databases.push(await copyOfDatabase(settings.DATABASE_URL)));
    expect(await untaken.accept()).toMatchObject({ status: 200 });
    await shownAs(casino, untaken, 'accepted');

    // As where all were killed with the very answer: the log has it, and no row.
    await putBack(copy, async () => {
      cpSync(directory, own, { recursive: true });
      for (const each of databases) await putBackDatabase(settings.DATABASE_URL, each);
    });
    await shownAs(casino, untaken, 'pending');
    await eventually(
      () => placesOf(service),
      (places) => places.every((place) => !stood.includes(place)),
      30_000,
    );
    // The relay too.
    await later(5_000);
    await othersWrite(url, 600);
    await later(5_000);
    await served[way](own);
    await shownAs(casino, untaken, 'accepted');
    const told = async () => (await service.operator('GET', '/operator/deliveries?limit=100')).text;
    await eventually(told, (text) => text.includes('deposit.accepted') && text.includes(String(untaken.id)), 30_000);
    await untilWritten(casino, 60_000);
    expect((await service.call('GET', '/health/ready')).text).not.toContain('alarms');
  },
  300_000,
);
