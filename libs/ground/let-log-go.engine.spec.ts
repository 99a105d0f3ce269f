import { expect, it } from '@jest/globals';
import { changeLog } from '#instances';
import { letLogGo } from './let-log-go.ts';
import { holdToLog } from './one-log.ts';
import { EXTERNAL, installationsPerTest } from './testing/installations.ts';

const here = installationsPerTest();
const { own, open, start } = here;

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
