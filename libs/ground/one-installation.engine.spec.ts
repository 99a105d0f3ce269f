import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openCounters } from '#counters';
import { depositStream } from '#deposit-commands';
import { LogUnavailable } from '#event-log';
import { keepInstallation, keepLog } from '#instances';
import { endsWithin } from '#platform/pause';
import { connect, event, PLAIN } from '../../test/engines/eventstoredb/support/client.ts';
import { checkInstallation } from './check-installation.ts';
import { holdToInstallation } from './one-installation.ts';
import { StartError } from './start-error.ts';
import {
  aDeposit,
  alertsOf,
  EXTERNAL,
  hasCounted,
  installationsPerTest,
  keptIn,
  LABEL,
} from './testing/installations.ts';
import { beforeOurs } from './until-ours.ts';

const SIMULATED = {};

const here = installationsPerTest();
const { own, other, undo, startServer, openLog, open, start, refused, label, labelEvents, historyOfBefore } = here;

describe('the first start of an installation', () => {
  it('writes on its log whose that is and what its payments are, and keeps the same in its database', async () => {
    const begun = await start(own.pool, EXTERNAL);
    expect(await label()).toMatchObject({ installation: await keptIn(own.pool), engine: 'external', demo: false });
    expect(alertsOf(begun)).toEqual([]);
    await start(own.pool, EXTERNAL);
    expect(await labelEvents()).toEqual(['InstallationNamed']);
  });

  it('is one for several that begin together', async () => {
    const held = async () => undefined;
    await Promise.all([1, 2, 3].map(() => start(own.pool, EXTERNAL, held)));
    expect(await labelEvents()).toEqual(['InstallationNamed']);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
  });

  it('is of this release too where one of before has a history, and what others wrote there says nothing', async () => {
    await hasCounted(own.pool, await historyOfBefore(), aDeposit.id);
    const client = connect(here.standIn.url);
    undo.push(() => client.dispose());
    await client.appendToStream(LABEL, event(1), PLAIN);
    const begun = await start(own.pool, SIMULATED);
    await start(own.pool, SIMULATED);
    expect(alertsOf(begun)).toEqual([]);
    expect(await labelEvents()).toEqual(['Tested', 'InstallationNamed']);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
  });

  it('is no history: nobody who reads the log is given it, or told of a stranger', async () => {
    const begun = await start(own.pool, EXTERNAL);
    await begun.log.append(depositStream(1), 'no_stream', [aDeposit]);
    const all = await Array.fromAsync(begun.log.readAll());
    const proven = (await Array.fromAsync(begun.log.readByStream())).flat();
    const followed: string[] = [];
    const { log, foreign } = openLog();
    const following = log.subscribe({
      onBatch: async ({ events }) => void followed.push(...events.map(({ stream }) => stream)),
    });
    while (followed.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await following.stop();
    for (const streams of [all.map(({ stream }) => stream), proven.map(({ stream }) => stream), followed])
      expect(streams).toEqual([depositStream(1)]);
    expect([...begun.foreign, ...foreign]).toEqual([]);
  });
});

describe('a second installation on the same server', () => {
  it('is refused by name where it has a log of its own', async () => {
    await start(own.pool, EXTERNAL);
    const elsewhere = here.standIn;
    await startServer();
    await start(other.pool, EXTERNAL);
    here.goBackTo(elsewhere);
    const [mine, theirs] = [await keptIn(other.pool), await keptIn(own.pool)];
    const message = await refused(other.pool, EXTERNAL);
    expect(message).toContain(`EVENTSTORE_URL names the event log of installation ${theirs} (since 2`);
    expect(message).toContain(`DATABASE_URL the database of installation ${mine}: one installation has one event log`);
    await expect(checkInstallation(await open(other.pool, {}))).rejects.toThrow(StartError);
    await checkInstallation(await open(own.pool, {}));
  });

  it('is refused by name where it would play payments beside real ones, before its database keeps anything', async () => {
    await start(own.pool, EXTERNAL);
    expect(await refused(other.pool, SIMULATED)).toBe(
      'the event log that EVENTSTORE_URL names has ENGINE=external DEMO=false, this instance ENGINE=simulated DEMO=true: ' +
        'set ENGINE and DEMO as the log has them, or let EVENTSTORE_URL name a log of its own',
    );
    expect(await refused(other.pool, { ...EXTERNAL, DEMO: 'true' })).toContain(
      'set ENGINE and DEMO as the log has them',
    );
    expect((await other.pool.query('SELECT FROM installation_engine')).rowCount).toBe(0);
    expect(await keptIn(other.pool)).toBeNull();
  });

  it('is refused where both begin on an empty server, whoever is second', async () => {
    const starts = await Promise.allSettled([start(own.pool, EXTERNAL), start(other.pool, SIMULATED)]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await labelEvents()).toEqual(['InstallationNamed']);
  });

  it('leaves what it was where the log does not hold what it has counted', async () => {
    await start(own.pool, EXTERNAL);
    await hasCounted(other.pool);
    const beside = await start(other.pool, EXTERNAL);
    expect(await keptIn(other.pool)).toBeNull();
    await expect(beside.log.append(depositStream(1), 'no_stream', [aDeposit])).rejects.toThrow(LogUnavailable);
  });
});

describe('a Postgres that is new or was emptied beside a log that went on', () => {
  it('goes on as that installation, tells so, and keeps since when the log is whose', async () => {
    await start(own.pool, EXTERNAL);
    const anew = await start(other.pool, EXTERNAL);
    expect(await keptIn(other.pool)).toBe(await keptIn(own.pool));
    expect(alertsOf(anew)).toEqual(['log_taken_up']);
    const { rows } = await other.pool.query(
      "SELECT actor, subject_id, after FROM audit_trail WHERE subject = 'event_log'",
    );
    const [installation, since] = [await keptIn(own.pool), (await label())?.since.toISOString()];
    expect(rows).toEqual([
      { actor: 'EVENTSTORE_URL', subject_id: installation, after: { since, engine: 'external', demo: false } },
    ]);
    expect(alertsOf(await start(other.pool, EXTERNAL))).toEqual([]);
    expect(await labelEvents()).toEqual(['InstallationNamed']);
  });
});

it('A young log of before is that of the database that gave its numbers out, before it has counted them', async () => {
  await historyOfBefore();
  await own.pool.query("SELECT nextval('deposit_ids')");
  const begun = await start(own.pool, { ENGINE: 'simulated' });
  expect(alertsOf(begun)).toEqual([]);
  expect(await label()).toMatchObject({ installation: await keptIn(own.pool), engine: 'simulated' });
});

describe('a Postgres that is new beside a log of before, which says nothing of itself', () => {
  it('is refused by name where it would play payments into that history', async () => {
    await historyOfBefore();
    expect(await refused(own.pool, { ENGINE: 'simulated' })).toMatch(
      /^the event log that EVENTSTORE_URL names has a history \(since 2.*\) that this database knows nothing of, and ENGINE=simulated would play/,
    );
    expect(await labelEvents()).toEqual([]);
    expect((await own.pool.query('SELECT FROM installation_engine')).rowCount).toBe(0);
  });

  it('takes it up otherwise, and tells so', async () => {
    await historyOfBefore();
    const begun = await start(own.pool, EXTERNAL);
    expect(alertsOf(begun)).toEqual(['log_taken_up']);
    expect(alertsOf(await start(own.pool, EXTERNAL))).toEqual([]);
    expect(await label()).toMatchObject({ installation: await keptIn(own.pool), engine: 'external' });
  });

  it('tells so too where the database has a name that no log has heard', async () => {
    await historyOfBefore();
    await keepLog(own.pool, 'eventstoredb');
    await keepInstallation(own.pool, randomUUID());
    expect(alertsOf(await start(own.pool, EXTERNAL))).toEqual(['log_taken_up']);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
  });
});

describe('a log that was emptied or put back', () => {
  it('is given none where the database is ahead of it, which the counting refuses', async () => {
    await hasCounted(own.pool);
    await start(own.pool, EXTERNAL);
    expect(await labelEvents()).toEqual([]);
  });
});

describe('another engine that is asked for by name', () => {
  it('stands in the log too', async () => {
    await start(own.pool, SIMULATED);
    await start(own.pool, EXTERNAL);
    expect(await label()).toMatchObject({ installation: await keptIn(own.pool), engine: 'external', demo: false });
    expect(await labelEvents()).toEqual(['InstallationNamed', 'InstallationEngineChanged']);
    expect(await refused(other.pool, SIMULATED)).toContain('has ENGINE=external DEMO=false');
  });

  it('is brought there by the next start, where the one that changed it died in between', async () => {
    await start(own.pool, SIMULATED);
    await own.pool.query("UPDATE installation_engine SET engine = 'external', demo = false");
    await start(own.pool, EXTERNAL);
    expect(await label()).toMatchObject({ engine: 'external', demo: false });
  });

  it('is not taken back by a database of before the change, unless that is asked for by name', async () => {
    await start(own.pool, SIMULATED);
    await start(own.pool, EXTERNAL);
    await own.pool.query("UPDATE installation_engine SET engine = 'simulated', demo = true");
    expect(await refused(own.pool, SIMULATED)).toContain(
      'has ENGINE=external DEMO=false, this instance ENGINE=simulated DEMO=true: set ENGINE and DEMO by name',
    );
    await start(own.pool, EXTERNAL);
    expect(await label()).toMatchObject({ engine: 'external' });
  });
});

it('A log whose word of whose it is was deleted for good is told of, and goes on', async () => {
  await start(own.pool, EXTERNAL);
  const client = connect(here.standIn.url);
  undo.push(() => client.dispose());
  await client.tombstoneStream(LABEL, PLAIN);
  const begun = await start(own.pool, EXTERNAL);
  const beside = await open(own.pool, EXTERNAL);
  await checkInstallation(beside);
  await begun.log.append(depositStream(1), 'no_stream', [aDeposit]);
  expect(await Array.fromAsync(beside.log.readAll())).toHaveLength(1);
  expect([alertsOf(begun), alertsOf(beside)]).toEqual([['broken_history'], ['broken_history']]);
});

describe('a log whose word of whose it is was cut off', () => {
  it('is given its name again, behind what can be read no more', async () => {
    await start(own.pool, EXTERNAL);
    const client = connect(here.standIn.url);
    undo.push(() => client.dispose());
    await client.setStreamMetadata(LABEL, { truncateBefore: 1 }, PLAIN);
    while ((await labelEvents()).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const beside = await open(own.pool, EXTERNAL);
    await checkInstallation(beside);
    await beside.log.head();
    const parts = await start(own.pool, EXTERNAL);
    await parts.log.append(depositStream(1), 'no_stream', [aDeposit]);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
    expect(alertsOf(parts)).toEqual([]);
  });

  it('asks with pauses, and says why it does not go on, where something is written there all the time', async () => {
    const parts = await open(own.pool, EXTERNAL);
    let written = 0;
    const write = async () => ({ isWritten: false, end: written++ });
    const claim = { ...parts.claim, label: { ...parts.claim.label, write } };
    await holdToInstallation({ ...parts, claim }, async () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(written).toBeLessThan(20);
    await expect(parts.log.head()).rejects.toThrow(LogUnavailable);
  });
});

describe('a log that does not answer at the start', () => {
  it('is sent nothing until it does, and ends whoever then finds it to be of another installation', async () => {
    await start(own.pool, EXTERNAL);
    await other.pool.query('DELETE FROM installation_log');
    const parts = await open(other.pool, EXTERNAL);
    await other.pool.query(`UPDATE installation_log SET installation = '${randomUUID()}'`);
    let isAway = true;
    const { label: there } = parts.claim;
    const read: typeof there.read = async (...asked) => {
      if (isAway) throw new LogUnavailable('no answer');
      return there.read(...asked);
    };
    await holdToInstallation({ ...parts, claim: { ...parts.claim, label: { ...there, read } } }, async () => undefined);
    await expect(parts.log.append(depositStream(1), 'no_stream', [aDeposit])).rejects.toThrow(LogUnavailable);
    isAway = false;
    while (parts.left.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(parts.left).toEqual([expect.stringContaining('names the event log of installation')]);
    expect(alertsOf(parts)).toEqual(['another_log']);
    await expect(parts.log.append(depositStream(1), 'no_stream', [aDeposit])).rejects.toThrow(LogUnavailable);
  });

  it('is not read meanwhile either, and its numbers are not counted: only what was counted before is asked for', async () => {
    await start(own.pool, EXTERNAL);
    await openLog().log.append(depositStream(1), 'no_stream', [aDeposit]);
    const parts = await open(own.pool, EXTERNAL);
    let isAway = true;
    const { label: there, log: below } = parts.claim;
    const read: typeof there.read = async (...asked) => {
      if (isAway) throw new LogUnavailable('no answer');
      return there.read(...asked);
    };
    const taken: string[] = [];
    const following = parts.log.subscribe({
      onBatch: async ({ events }) => void taken.push(...events.map(({ stream }) => stream)),
    });
    undo.push(following.stop);
    await holdToInstallation({ ...parts, claim: { ...parts.claim, label: { ...there, read } } }, async () => undefined);
    const { log } = parts;
    const asked: Record<string, () => Promise<unknown>> = {
      read: () => Array.fromAsync(log.read(depositStream(1))),
      readAll: () => Array.fromAsync(log.readAll()),
      readPages: () => Array.fromAsync(log.readPages()),
      readByStream: () => Array.fromAsync(log.readByStream()),
      head: log.head,
      end: log.end,
      newest: log.newest,
      lastRevision: () => log.lastRevision(depositStream(1)),
    };
    for (const ask of Object.values(asked)) await expect(ask()).rejects.toThrow(LogUnavailable);
    const counting = { pool: own.pool, log: beforeOurs(log, below), logger: parts.logger, isOfTheLog: false };
    const counters = openCounters({ ...counting, restored: undefined, everyMs: 20 });
    undo.push(counters.stop);
    expect([await endsWithin(counters.firstLook, 300), taken]).toEqual([false, []]);
    isAway = false;
    expect(await counters.firstLook).toBeUndefined();
    while (taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(taken).toEqual([depositStream(1)]);
    for (const ask of Object.values(asked)) await ask();
  });

  it('is found all the same to lack what this database has counted', async () => {
    await hasCounted(own.pool);
    const { log, claim, logger } = await open(own.pool, EXTERNAL);
    const counting = { pool: own.pool, log: beforeOurs(log, claim.log), logger, isOfTheLog: false };
    const counters = openCounters({ ...counting, restored: undefined, everyMs: 20 });
    undo.push(counters.stop);
    expect((await counters.firstLook)?.message).toContain('the database is ahead of its event log');
  });
});
