import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  eventually,
  newCasino,
  openMarket,
  serviceAt,
  startService,
} from '../../../acceptance/harness/index.ts';
import { freshDatabase } from '../../../support/database.ts';
import { freePort } from '../../../support/free-port.ts';
import { type StandIn, startStandIn } from '../standIn.ts';

const SECRETS_KEY = 'the-key-of-a-log-that-is-put-back';

const nothing = async (): Promise<void> => undefined;

/** Whole services whose log is put back, while they are stopped or under them. What they leave is gone after each case. */
export const puttingBack = (name: string) => {
  const undo: (() => unknown)[] = [];

  afterEach(async () => {
    for (const end of undo.splice(0).reverse()) await end();
  }, 60_000);

  const aDirectory = (): string => {
    const directory = mkdtempSync(join(tmpdir(), `cointill-${name}-`));
    undo.push(() => rmSync(directory, { recursive: true }));
    return directory;
  };

  const serverOn = async (dataDir: string): Promise<StandIn> => {
    const server = await startStandIn({ dataDir, port: await freePort() });
    undo.push(() => server.kill());
    return server;
  };

  const serving = async (own: StandIn) => {
    const { url, drop } = await freshDatabase();
    undo.push(drop);
    const settings = { DATABASE_URL: url, SECRETS_KEY, EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: own.url };
    let running = await startService(settings);
    let server = own;
    undo.push(() => running.stop());
    /** Another one comes to stand there, under the service that runs. */
    const exchange = async (dataDir: string): Promise<void> => {
      server.kill();
      server = await startStandIn({ dataDir, port: own.port });
      undo.push(() => server.kill());
    };
    /** Nobody runs meanwhile. */
    const whileStopped = async (work: () => Promise<void>): Promise<void> => {
      await running.stop();
      await work();
      running = await startService(settings);
    };
    return {
      service: serviceAt(() => running),
      settings,
      exchange,
      whileStopped,
      putBack: (dataDir: string, beside = nothing): Promise<void> =>
        whileStopped(async () => {
          await exchange(dataDir);
          await beside();
        }),
    };
  };

  /** With a casino that takes deposits, on a log of its own. */
  const opened = async () => {
    const directory = aDirectory();
    const served = await serving(await serverOn(directory));
    await openMarket(served.service);
    return { ...served, directory, casino: await newCasino(served.service) };
  };

  return { undo, aDirectory, opened };
};

export const untilWritten = async (casino: Casino, withinMs: number): Promise<void> => {
  const order = casino.order(await casino.player());
  await eventually(
    () => casino.create(order),
    ({ status }) => status === 200,
    withinMs,
  );
};

export const shownAs = (casino: Casino, { id }: Pick<DepositHandle, 'id'>, decision: string) =>
  eventually(
    () => casino.call('GET', `/casino/deposits?entity_id=${casino.entityId}`),
    ({ body }) =>
      ((body.deposits ?? []) as readonly { id: number; decision: string }[]).some(
        (each) => each.id === id && each.decision === decision,
      ),
    30_000,
  );
