import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type StandIn, startStandIn } from './standIn.ts';
import { connect, event, failure, PLAIN, readIds, until } from './support/client.ts';

const STREAM = 'account-1';
let dataDir: string;
let standIn: StandIn;
let client: EventStoreDBClient;

const start = async (port: number) => {
  standIn = await startStandIn({ dataDir, port });
};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
  await start(await freePort());
  client = connect(standIn.url);
});

afterEach(async () => {
  await client.dispose();
  standIn.kill(); // twice is no harm
  rmSync(dataDir, { recursive: true });
});

const killAndStart = async () => {
  const { port } = standIn;
  standIn.kill();
  await start(port);
};

describe('after a kill', () => {
  it('what was answered is there, in the same place', async () => {
    const written = [event(1), event(2)];
    const { position } = await client.appendToStream(STREAM, written, { ...PLAIN, expectedRevision: 'no_stream' });
    await killAndStart();
    await until(() =>
      readIds(client, STREAM).then(
        (ids) => ids.length === 2,
        () => false,
      ),
    );
    expect(await readIds(client, STREAM)).toEqual(written.map(({ id }) => id));
    const repeated = await client.appendToStream(STREAM, written, { ...PLAIN, expectedRevision: 'no_stream' });
    expect(repeated).toMatchObject({ nextExpectedRevision: 1n, position });
  });

  it('an append that the kill cut short is gone, and the log goes on behind what is whole', async () => {
    const [whole, next] = [event(1), event(2)];
    await client.appendToStream(STREAM, whole, PLAIN);
    standIn.kill();
    appendFileSync(join(dataDir, 'journal.ndjson'), '{"s":"account-1","r":1,"p":9999,"t":1,"e":[["');
    await start(standIn.port);
    const append = () => client.appendToStream(STREAM, next, { ...PLAIN, expectedRevision: 0n });
    await until(() =>
      append().then(
        ({ success }) => success,
        () => false,
      ),
    );
    await killAndStart();
    await until(() =>
      readIds(client, STREAM).then(
        (ids) => ids.length > 0,
        () => false,
      ),
    );
    expect(await readIds(client, STREAM)).toEqual([whole.id, next.id]);
  });

  it('a journal that is damaged before its end is refused', async () => {
    standIn.kill();
    appendFileSync(join(dataDir, 'journal.ndjson'), 'not a line of it\n');
    await expect(start(standIn.port)).rejects.toThrow(/damaged at byte \d+/);
  });

  it('without a directory, nothing is left', async () => {
    const forgetful = await startStandIn();
    const once = connect(forgetful.url);
    await once.appendToStream(STREAM, event(), PLAIN);
    forgetful.kill();
    await once.dispose();
    const again = await startStandIn();
    const after = connect(again.url);
    expect(await failure(readIds(after, STREAM))).toMatchObject({ class: 'StreamNotFoundError' });
    await after.dispose();
    again.kill();
  });
});
