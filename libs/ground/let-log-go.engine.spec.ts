import { expect, it } from '@jest/globals';
import { changeLog, logLock } from '#instances';
import { checkInstallation } from './check-installation.ts';
import { letLogGo, takeLogBack } from './let-log-go.ts';
import { holdToInstallation } from './one-installation.ts';
import { holdToLog } from './one-log.ts';
import { EXTERNAL, installationsPerTest, keptIn } from './testing/installations.ts';

const here = installationsPerTest();
const { own, open, start, startServer, refused } = here;

const AT = `${'0'.repeat(14)}243979.${'0'.repeat(14)}243979`;
const MARK = JSON.stringify({ stream: 'deposit-1', revision: 0, position: AT, id: 'e' });

const query = async (text: string) => (await own.pool.query(text)).rows;

/** As after a first start on a server with events of others. */
const startedOnAnother = async (): Promise<void> => {
  await start(own.pool, EXTERNAL);
  await query(`
    INSERT INTO projection_checkpoints (name, version, position, state, failure)
      VALUES ('deposits', 1, '${AT}', 'stopped', '{}');
    INSERT INTO projection_rebuilds (name, version, state, position, held) VALUES ('deposits', 1, 'filling', '${AT}', true);
    INSERT INTO projection_checks (name, version, position, differences) VALUES ('deposits', 1, '${AT}', '{}');
    INSERT INTO projection_damage (name, rebuild, stream, revision, problem) VALUES ('deposits', false, 'deposit-1', 0, 'no');
    UPDATE receipts_progress SET position = '${AT}';
    INSERT INTO webhook_relay (name, position, stopped_because, stopped_at)
      VALUES ('deposit-events', '${AT}', 'another log', now());
    INSERT INTO webhook_relay_marks (position, event) VALUES ('${AT}', '${MARK}')`);
};

const places = async () => ({
  projections: await query('SELECT name, position, last_event, state, failure FROM projection_checkpoints'),
  rebuilds: await query('SELECT name, state, position, held FROM projection_rebuilds'),
  found: await query('SELECT name FROM projection_checks UNION ALL SELECT name FROM projection_damage'),
  receipts: await query('SELECT position FROM receipts_progress'),
  relay: await query('SELECT position FROM webhook_relay UNION ALL SELECT position FROM webhook_relay_marks'),
});

const ALL_AT_THE_BEGINNING = {
  projections: [{ name: 'deposits', position: null, last_event: null, state: 'running', failure: null }],
  rebuilds: [{ name: 'deposits', state: 'requested', position: null, held: false }],
  found: [],
  receipts: [{ position: '' }],
  relay: [],
};

it('what follows the log begins anew in the next one: nothing keeps a place of the one that was let go', async () => {
  await startedOnAnother();
  expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
  expect(await places()).toEqual(ALL_AT_THE_BEGINNING);
});

it('the same where EVENT_STORE is changed', async () => {
  await startedOnAnother();
  await changeLog(own.pool, 'eventstoredb', 'postgres');
  await (await holdToLog(await open(own.pool, EXTERNAL))).stop();
  expect(await places()).toEqual(ALL_AT_THE_BEGINNING);
});

it('one that was left by another EVENT_STORE keeps its name to itself: it is refused by that, and taken back, as any', async () => {
  await start(own.pool, EXTERNAL);
  const [before, name] = [here.standIn, await keptIn(own.pool)];
  await changeLog(own.pool, 'eventstoredb', 'postgres');
  await changeLog(own.pool, 'postgres', 'eventstoredb');
  await startServer();
  await start(own.pool, EXTERNAL);
  const next = await keptIn(own.pool);
  expect(next).not.toBe(name);
  here.goBackTo(before);
  expect(await refused(own.pool, EXTERNAL)).toContain(`that this installation let go (${name})`);
  await letLogGo(own.pool, 'somebody');
  for (const installation of [next, name])
    expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'taken_back', installation });
  await start(own.pool, EXTERNAL);
  expect(await keptIn(own.pool)).toBe(name);
});

it.each([
  [
    'rows, whoever that is of',
    `INSERT INTO projection_checkpoints (name, version, position, events) VALUES ('deposits', 1, '${AT}', 1)`,
    'has_counted',
  ],
  [
    'a seal, whoever that is of',
    "INSERT INTO audit_heads (stream, seal, revision, hash) VALUES ('deposit-1', 1, 0, 'h')",
    'has_counted',
  ],
  ['numbers', `SELECT nextval('transaction_ids')`, 'has_history'],
])('it is kept where it has come to %s', async (_, made, outcome) => {
  await startedOnAnother();
  await query(`DELETE FROM projection_checkpoints; ${made}`);
  expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome });
});

it('it is let go too where nobody heard that it has the name: it was written, or was to be', async () => {
  await start(own.pool, EXTERNAL);
  const name = await keptIn(own.pool);
  await query('UPDATE installation_log SET name_revision = NULL');
  expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
  expect(await refused(own.pool, EXTERNAL)).toContain(name);
  expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'taken_back', installation: name });
});

const trail = () =>
  query("SELECT actor, subject_id, before, after FROM audit_trail WHERE subject = 'event_log' ORDER BY id");

it('one that was let go by mistake is taken back, on the audit trail, and the next start goes on with it', async () => {
  await start(own.pool, EXTERNAL);
  const name = await keptIn(own.pool);
  await letLogGo(own.pool, 'somebody');
  expect(await refused(own.pool, EXTERNAL)).toContain('run `cointill log take-up --back`');
  expect(await takeLogBack(own.pool, 'another')).toEqual({ outcome: 'taken_back', installation: name });
  expect((await trail()).at(-1)).toEqual({
    ...{ actor: 'another', subject_id: name },
    ...{ before: { let_go: true }, after: { let_go: false } },
  });
  await start(own.pool, EXTERNAL);
  expect(await keptIn(own.pool)).toBe(name);
  expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
});

it('it is taken back also where a wrong one was named in its place, once that was let go too: the last one first', async () => {
  await start(own.pool, EXTERNAL);
  const [right, name] = [here.standIn, await keptIn(own.pool)];
  await letLogGo(own.pool, 'somebody');
  await startServer();
  await start(own.pool, EXTERNAL);
  const wrong = await keptIn(own.pool);
  here.goBackTo(right);
  expect(await refused(own.pool, EXTERNAL)).toContain('let go what it has now with `cointill log take-up`');
  expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'has_another' });
  await letLogGo(own.pool, 'somebody');
  for (const installation of [wrong, name])
    expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'taken_back', installation });
  await start(own.pool, EXTERNAL);
  expect(await keptIn(own.pool)).toBe(name);
});

it('none is taken back while somebody runs, and where none was let go', async () => {
  await start(own.pool, EXTERNAL);
  expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'has_none' });
  await letLogGo(own.pool, 'somebody');
  const client = await own.pool.connect();
  await logLock.share(client);
  expect(await takeLogBack(own.pool, 'somebody')).toMatchObject({ outcome: 'in_use' });
  await logLock.unshare(client);
  client.release();
  expect(await takeLogBack(own.pool, 'somebody')).toMatchObject({ outcome: 'taken_back' });
  expect(await takeLogBack(own.pool, 'somebody')).toEqual({ outcome: 'has_none' });
});

type Parts = Awaited<ReturnType<typeof open>>;

it.each([
  ['gave it its name', async (parts: Parts) => holdToInstallation(parts, async () => undefined)],
  [
    'found its name there',
    async (parts: Parts) => {
      await start(own.pool, EXTERNAL);
      await holdToInstallation(parts, async () => undefined);
    },
  ],
  [
    'only looks whose it is',
    async (parts: Parts) => {
      await start(own.pool, EXTERNAL);
      await checkInstallation(parts);
    },
  ],
])('it ends one that %s and was cut off before its first beat, until the next log was named', async (_, joined) => {
  const parts = await open(own.pool, EXTERNAL);
  const held = await holdToLog(parts);
  await joined(parts);
  await held.stop();
  expect(await letLogGo(own.pool, 'somebody')).toEqual({ outcome: 'let_go' });
  await startServer();
  await start(own.pool, EXTERNAL);
  await held.beaten();
  expect(parts.left).toEqual(['this installation keeps its history in another event log by now: this instance ends']);
});
