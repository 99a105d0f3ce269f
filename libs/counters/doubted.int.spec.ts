import { setTimeout as later } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { knownEvents } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { databasesPerTest } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

it('a doubt that comes while the log is counted is settled by another count, and not by the end of that one', async () => {
  const log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
  let asked = 0;
  let answers = Promise.resolve();
  const head: EventLog['head'] = async () => {
    asked += 1;
    await answers;
    return log.head();
  };
  const { url, logUrl } = databases;
  const { counters, create, close } = await openBeside({ url, logUrl, log: { ...log, head }, keep: true });
  expect(await counters.firstLook).toBeUndefined();
  await create();
  const ofNext = async (): Promise<(() => void) | undefined> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answers = promise;
    const before = asked;
    counters.doubt(`doubt ${before}`);
    for (let tries = 0; tries < 500 && asked === before; tries++) await later(10);
    return asked > before ? resolve : undefined;
  };
  const answerFirst = await ofNext();
  // While the first is being counted; of the count behind it nothing is answered yet.
  const second = ofNext();
  answerFirst?.();
  const answerSecond = await second;
  expect(answerSecond).toBeDefined();
  await expect(counters.beforeGiving()).rejects.toThrow(/doubt/);
  answerSecond?.();
  for (let tries = 0; tries < 500; tries++) {
    if (
      await counters.beforeGiving().then(
        () => true,
        () => false,
      )
    )
      break;
    await later(10);
  }
  await create();
  await close();
  await log.close();
});
