import { describe, expect, it } from '@jest/globals';
import { LogUnavailable } from '#event-log';
import { changeLog, logLock } from '#instances';
import { connect, PLAIN } from '../../test/engines/eventstoredb/support/client.ts';
import { checkInstallation } from './check-installation.ts';
import { letLogGo } from './let-log-go.ts';
import { holdToInstallation } from './one-installation.ts';
import {
  aDeposit,
  alertsOf,
  EXTERNAL,
  hasCounted,
  installationsPerTest,
  keptIn,
  LABEL,
} from './testing/installations.ts';

const here = installationsPerTest();
const { own, other, undo, startServer, open, start, refused, label, labelEvents, historyOfBefore } = here;

const NAMELESS = /^the event log that EVENTSTORE_URL names has no name, and installation .* has given its log one/;

describe('a log without a name, where the database has given its log one', () => {
  it('is refused by name, and given none: it is another, or was emptied', async () => {
    await start(own.pool, EXTERNAL);
    await startServer();
    expect(await refused(own.pool, EXTERNAL)).toMatch(NAMELESS);
    expect(await labelEvents()).toEqual([]);
  });

  it('is refused where it has the history of another, also by who has given numbers out', async () => {
    await start(own.pool, EXTERNAL);
    await startServer();
    await historyOfBefore();
    await own.pool.query("SELECT nextval('deposit_ids')");
    expect(await refused(own.pool, EXTERNAL)).toMatch(NAMELESS);
    expect(await labelEvents()).toEqual([]);
  });

  it('is refused by a database of a release that did not remember the name, once that has met it', async () => {
    await start(own.pool, EXTERNAL);
    await own.pool.query('UPDATE installation_log SET name_revision = NULL');
    await start(own.pool, EXTERNAL);
    await startServer();
    expect(await refused(own.pool, EXTERNAL)).toMatch(NAMELESS);
  });

  it('is given it again, and that is told, where it holds what was counted: it was put back to before its name', async () => {
    await start(own.pool, EXTERNAL);
    await startServer();
    await hasCounted(own.pool, await historyOfBefore(), aDeposit.id);
    const begun = await start(own.pool, EXTERNAL);
    expect(alertsOf(begun)).toEqual(['log_named_again']);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
    expect(alertsOf(await start(own.pool, EXTERNAL))).toEqual([]);
  });

  it('is asked again before: what one node says may be of a moment before the name', async () => {
    await start(own.pool, EXTERNAL);
    const parts = await open(own.pool, EXTERNAL);
    let lagging = 2;
    const { label: there } = parts.claim;
    const read: typeof there.read = (add, first) => (lagging-- > 0 ? Promise.resolve(first) : there.read(add, first));
    const end = async () => (lagging > 0 ? undefined : there.end());
    const claim = { ...parts.claim, label: { ...there, read, end } };
    await holdToInstallation({ ...parts, claim }, async () => undefined);
    await parts.log.head();
    expect(await labelEvents()).toEqual(['InstallationNamed']);
  });

  it('is not told of where it has its name, and what said otherwise was of before', async () => {
    await hasCounted(own.pool, await historyOfBefore(), aDeposit.id);
    await start(own.pool, EXTERNAL);
    const parts = await open(own.pool, EXTERNAL);
    let isOfBefore = true;
    const { label: there } = parts.claim;
    const read: typeof there.read = (add, first) => (isOfBefore ? Promise.resolve(first) : there.read(add, first));
    const end = async () => (isOfBefore ? undefined : there.end());
    const write: typeof there.write = (...asked) => {
      isOfBefore = false;
      return there.write(...asked);
    };
    const claim = { ...parts.claim, label: { ...there, read, end, write } };
    await holdToInstallation({ ...parts, claim }, async () => undefined);
    await parts.log.head();
    expect([isOfBefore, alertsOf(parts)]).toEqual([false, []]);
    expect(await labelEvents()).toEqual(['InstallationNamed']);
  });

  it('may be any while there is no history and the kind of the log is changed', async () => {
    await start(own.pool, EXTERNAL);
    await changeLog(own.pool, 'eventstoredb', 'postgres');
    await changeLog(own.pool, 'postgres', 'eventstoredb');
    await startServer();
    await start(own.pool, EXTERNAL);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
  });

  it('is given it again too where the stream was deleted', async () => {
    await start(own.pool, EXTERNAL);
    const client = connect(here.standIn.url);
    undo.push(() => client.dispose());
    await client.deleteStream(LABEL, PLAIN);
    const parts = await start(own.pool, EXTERNAL);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
    expect(alertsOf(parts)).toEqual([]);
    await start(own.pool, EXTERNAL);
    await startServer();
    expect(await refused(own.pool, EXTERNAL)).toMatch(NAMELESS);
  });
});

describe('a wrong log that the first start gave its name', () => {
  const named = async (): Promise<void> => {
    await start(own.pool, EXTERNAL);
    await startServer();
    expect(await refused(own.pool, EXTERNAL)).toContain('run `cointill log take-up`');
  };

  it('is let go while nothing was given out, on the audit trail, and the right one has the name', async () => {
    await named();
    const before = await keptIn(own.pool);
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
    await start(own.pool, EXTERNAL);
    expect((await label())?.installation).toBe(await keptIn(own.pool));
    expect((await label())?.installation).not.toBe(before);
    const { rows } = await own.pool.query("SELECT actor, subject_id FROM audit_trail WHERE subject = 'event_log'");
    expect(rows).toEqual([{ actor: 'somebody', subject_id: before }]);
    await startServer();
    expect(await refused(own.pool, EXTERNAL)).toMatch(NAMELESS);
  });

  it('is refused by name once it was let go, before the right one has a name and after', async () => {
    await start(own.pool, EXTERNAL);
    const [wrong, name] = [here.standIn, await keptIn(own.pool)];
    await letLogGo(own.pool, 'somebody');
    const letGo = `EVENTSTORE_URL names the event log that this installation let go (${name})`;
    expect(await refused(own.pool, EXTERNAL)).toContain(letGo);
    await startServer();
    await start(own.pool, EXTERNAL);
    here.goBackTo(wrong);
    expect(await refused(own.pool, EXTERNAL)).toContain(letGo);
    await expect(checkInstallation(await open(own.pool, EXTERNAL))).rejects.toThrow(letGo);
  });

  it('is let go also for one that has a name already, of a database that was lost', async () => {
    await start(other.pool, EXTERNAL);
    const right = here.standIn;
    await startServer();
    await start(own.pool, EXTERNAL);
    await letLogGo(own.pool, 'somebody');
    here.goBackTo(right);
    expect(alertsOf(await start(own.pool, EXTERNAL))).toEqual(['log_taken_up']);
    expect(await keptIn(own.pool)).toBe(await keptIn(other.pool));
  });

  it('is kept where something was counted or given out', async () => {
    await named();
    await own.pool.query("SELECT nextval('deposit_ids')");
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'has_history' });
    await hasCounted(own.pool);
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'has_counted' });
    await own.pool.query("SELECT setval('deposit_ids', 1, false)");
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'has_counted' });
  });

  it('is kept while somebody runs, and there is none where no log has the name', async () => {
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'has_none' });
    await named();
    const client = await own.pool.connect();
    await logLock.share(client);
    expect(await letLogGo(own.pool, 'somebody')).toMatchObject({ outcome: 'in_use' });
    await logLock.unshare(client);
    client.release();
    expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
  });
});

const untilRead = async ({ log }: Awaited<ReturnType<typeof open>>): Promise<void> => {
  const answers = () =>
    log.head().then(
      () => true,
      () => false,
    );
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('whoever appends nothing', () => {
  it('reads nothing of a log that has a name and this database none, until that is settled', async () => {
    await start(own.pool, EXTERNAL);
    const parts = await open(other.pool, EXTERNAL);
    await checkInstallation(parts);
    await expect(parts.log.head()).rejects.toThrow(LogUnavailable);
    await start(other.pool, EXTERNAL);
    await untilRead(parts);
  });

  it('reads nothing of a log without a name beside a database that has one, and says why', async () => {
    await start(own.pool, EXTERNAL);
    await startServer();
    await historyOfBefore();
    const parts = await open(own.pool, EXTERNAL);
    await checkInstallation(parts);
    const why = `(it has no name, and this database is of installation ${await keptIn(own.pool)}: EVENTSTORE_URL names`;
    await expect(parts.log.head()).rejects.toThrow(why);
    await expect(Array.fromAsync(parts.log.readAll())).rejects.toThrow(LogUnavailable);
    expect(parts.left).toEqual([]);
  });

  it('waits for the first start of an app that names the log', async () => {
    const parts = await open(own.pool, EXTERNAL);
    await checkInstallation(parts);
    await expect(parts.log.head()).rejects.toThrow('(it has no name yet, nor has this database');
    await start(own.pool, EXTERNAL);
    await untilRead(parts);
  });

  it('goes on with a log of before that has no name yet and holds what was counted', async () => {
    await hasCounted(own.pool, await historyOfBefore(), aDeposit.id);
    const parts = await open(own.pool, EXTERNAL);
    await checkInstallation(parts);
    await parts.log.head();
  });
});
