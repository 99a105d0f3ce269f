import { afterAll, beforeAll, describe } from '@jest/globals';
import type { EventLog } from '../port.ts';
import { byStream } from './by-stream.ts';
import { crashes } from './crashes.ts';
import { expectedRevisions } from './expected-revision.ts';
import type { LogUnderTest, Suite } from './harness.ts';
import { history } from './history.ts';
import { lostConnections } from './lost-connections.ts';
import { outages } from './outage.ts';
import { reading } from './reading.ts';
import { readingAll } from './reading-all.ts';
import { refusals } from './refusals.ts';
import { repeats } from './repeats.ts';
import { subscribing } from './subscribing.ts';

export type { LogUnderTest } from './harness.ts';

/** Every log that a test opens is closed at the end, whatever became of the test. */
const closingAll = (server: LogUnderTest): LogUnderTest & { readonly closeAll: () => Promise<void> } => {
  const opened: EventLog[] = [];
  return {
    ...server,
    open: async (options) => {
      const log = await server.open(options);
      opened.push(log);
      return log;
    },
    closeAll: async () => {
      await Promise.all(opened.map((log) => log.close()));
    },
  };
};

const started = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the server under test has not started');
  return value;
};

/** What every store of the event log has to keep. A store binds to it by saying how its server starts. */
export const describeEventLog = (
  name: string,
  start: () => Promise<LogUnderTest>,
  { crashLeftOut }: { readonly crashLeftOut?: string | undefined } = {},
): void => {
  describe(`the event log on ${name}`, () => {
    let server: ReturnType<typeof closingAll> | undefined;
    let log: EventLog | undefined;
    const suite: Suite = { log: () => started(log), server: () => started(server) };

    beforeAll(async () => {
      server = closingAll(await start());
      log = await server.open();
    }, 60_000);

    afterAll(async () => {
      await server?.closeAll();
      await server?.stop();
    }, 60_000);

    expectedRevisions(suite);
    repeats(suite);
    byStream(suite);
    refusals(suite);
    reading(suite);
    readingAll(suite);
    subscribing(suite);
    history(suite);
    lostConnections(suite);
    outages(suite);
    crashes(suite, crashLeftOut);
  });
};
