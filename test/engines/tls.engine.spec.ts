import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newCasino, openMarket, serviceAt, startService } from '../acceptance/harness/index.ts';
import { realServer, startEventStoreServer } from '../support/eventstore-server.ts';
import { describeWhere, notOurs } from '../support/jest-left-out.ts';
import { databasePerFile } from '../support/with-database.ts';
import { missingKafkaTool } from './kafka/index.ts';
import { makeKeyStore } from './key-store.ts';
import { startTlsFront, type TlsFront } from './tls-front.ts';

const missing = await missingKafkaTool();
const describeHere = realServer
  ? describeWhere(false, notOurs('EVENTSTORE_URL'))
  : describeWhere(missing === undefined, missing ?? '');

describeHere('a Postgres and an EventStoreDB that are reached by TLS alone', () => {
  const database = databasePerFile();
  let folder: string;
  let postgres: TlsFront;
  let log: TlsFront;
  let settings: Record<string, string>;
  let stopServer: () => Promise<void>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cointill-tls-'));
    const keyStore = await makeKeyStore(join(folder, 'server.p12'));
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, `${keyStore.ca}\n`);
    const server = await startEventStoreServer();
    stopServer = server.stop;
    const ofDatabase = new URL(database.url);
    postgres = await startTlsFront(Number(ofDatabase.port), keyStore, 'postgres');
    log = await startTlsFront(Number(/:(\d+)\?/.exec(server.url)?.[1]), keyStore, 'tls');
    ofDatabase.host = `127.0.0.1:${postgres.port}`;
    ofDatabase.search = `?sslmode=verify-full&sslrootcert=${caFile}`;
    settings = {
      DATABASE_URL: ofDatabase.href,
      EVENT_STORE: 'eventstoredb',
      EVENTSTORE_URL: `esdb://pay:secret@127.0.0.1:${log.port}?tls=true&tlsCAFile=${caFile}`,
    };
  }, 60_000);
  afterAll(async () => {
    await postgres?.close();
    await log?.close();
    await stopServer?.();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('serve a deposit from create to the lists, and nothing goes by in plain text', async () => {
    const running = await startService(settings);
    try {
      const service = serviceAt(() => running);
      await openMarket(service);
      const casino = await newCasino(service);
      const deposit = await casino.deposit();
      await deposit.pay();
      expect((await casino.read(deposit.id)).id).toBe(deposit.id);
      expect((await casino.deposits()).deposits).toHaveLength(1);
    } finally {
      await running.stop();
    }
    expect(postgres.met.plain + log.met.plain).toBe(0);
    expect(postgres.met.secured).toBeGreaterThan(5);
    expect(log.met.secured).toBeGreaterThan(0);
  }, 90_000);
});
