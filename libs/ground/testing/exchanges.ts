import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { LogUnavailable } from '#event-log';
import { startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { aDeposit, EXTERNAL, hasCounted, installationsPerTest } from './installations.ts';

export const anEvent = () => ({ ...aDeposit, id: randomUUID() });

/** Servers that come in the place of one another; another installation has a log of its own. */
export const exchangesPerTest = () => {
  const here = installationsPerTest();
  const { own, other, undo, start, openLog } = here;

  const aDirectory = (): string => {
    const directory = mkdtempSync(join(tmpdir(), 'cointill-exchanged-log-'));
    undo.push(() => rmSync(directory, { recursive: true }));
    return directory;
  };

  /** In the place of what stood there. */
  const serve = async (port: number, dataDir?: string): Promise<void> => {
    here.standIn.kill();
    const server = await startStandIn({ port, ...(dataDir !== undefined && { dataDir }) });
    undo.push(() => server.kill());
    here.goBackTo(server);
  };

  /** A service on a server of its own, which has counted its first deposit. */
  const running = async () => {
    const [port, dataDir] = [await freePort(), aDirectory()];
    await serve(port, dataDir);
    const service = await start(own.pool, EXTERNAL);
    const first = anEvent();
    const { position } = await service.log.append(depositStream(1), 'no_stream', [first]);
    await hasCounted(own.pool, position, first.id);
    const mark = { id: first.id, stream: depositStream(1), revision: 0, position };
    return { ...service, port, dataDir, first: mark };
  };

  const create = (log: Awaited<ReturnType<typeof running>>['log'], id: number) =>
    log.append(depositStream(id), 'no_stream', [anEvent()]);

  const depositsThere = async () =>
    (await Array.fromAsync(openLog().log.readAll())).map(({ stream }) => stream).toSorted();

  const untilTaken = async (append: () => Promise<unknown>): Promise<void> => {
    for (let tries = 0; tries < 60; tries++) {
      const error = await append().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) return;
      expect(error).toBeInstanceOf(LogUnavailable);
      await later(250);
    }
    throw new Error('it was never taken');
  };

  /** What was under way in the exchange may have opened an outage, which says so for a moment. */
  const untilRefusedAs = async (why: RegExp, ask: () => Promise<unknown>): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(LogUnavailable);
      if (why.test(String(error))) return;
      if (tries === 40) expect(String(error)).toMatch(why);
      await later(250);
    }
  };

  /** Where the log of another installation lies: its deposits, and among them what `between` appends. */
  const anothersLog = async (
    ids: readonly number[],
    between: (log: Awaited<ReturnType<typeof running>>['log']) => Promise<unknown> = async () => undefined,
  ): Promise<string> => {
    const directory = aDirectory();
    await serve(await freePort(), directory);
    const { log } = await start(other.pool, EXTERNAL);
    for (const id of ids) await create(log, id);
    await between(log);
    for (const id of ids) await create(log, id + 1_000);
    return directory;
  };

  return { here, aDirectory, serve, running, create, depositsThere, untilTaken, untilRefusedAs, anothersLog };
};
