import { randomUUID } from 'node:crypto';
import { UnknownError } from '@eventstore/db-client';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { AnotherLog } from '../errors.ts';
import type { EventLog, EventMark } from '../port.ts';
import { partsOf, positionOf } from '../position.ts';
import { type Connection, connectTo } from './connection.ts';
import { holds } from './holds.ts';
import { openEventStoreDbEventLog } from './index.ts';
import { readAll } from './read-all.ts';

let standIn: StandIn;
let log: EventLog;
let connection: Connection;
let mark: EventMark;
/** What befalls the next pages. */
let befalls: Error[] = [];

const said = (code: number): Error => Object.assign(new UnknownError(undefined, `${code}: it went wrong`), { code });

beforeAll(async () => {
  standIn = await startStandIn({ port: await freePort() });
  log = openEventStoreDbEventLog({ url: standIn.url });
  const own = connectTo(standIn.url);
  connection = {
    ...own,
    pageUntil: async (...asked) => {
      const error = befalls.shift();
      if (error) throw error;
      return own.pageUntil(...asked);
    },
  };
});

beforeEach(async () => {
  befalls = [];
  const stream = aStream();
  await log.append(stream, 'no_stream', [anEvent(), anEvent()]);
  const [first] = await all(log.read(stream));
  if (!first) throw new Error('nothing was written');
  mark = first;
});

afterAll(async () => {
  await connection.close();
  await log.close();
  await standIn.close();
});

const revisionsBehind = async (after = mark.position): Promise<readonly number[]> =>
  (await Array.fromAsync(readAll(connection, { after }, {}))).flat().map(({ revision }) => revision);

it('Who stands within a record of the log is told that it is another one', async () => {
  const { major, minor } = partsOf(mark.position);
  const within = positionOf(major + 1n, minor + 1n);
  await expect(revisionsBehind(within)).rejects.toThrow(AnotherLog);
  expect(await holds(connection, { ...mark, stream: aStream(), position: within })).toBe(false);
});

it('Who stands where one begins is told nothing of a page that failed for a moment', async () => {
  befalls = [said(2)];
  expect(await revisionsBehind()).toEqual([1]);
  befalls = [said(2)];
  const hidden = { ...mark, stream: aStream() };
  expect([await holds(connection, hidden), await holds(connection, { ...hidden, id: randomUUID() })]).toEqual([
    true,
    false,
  ]);
});

it.each([
  ['answers nobody', Array.from({ length: 20 }, () => said(2))],
  ['says what went wrong', [said(8)]],
])('A server that %s has not said that no record begins there', async (_, errors) => {
  for (const ask of [() => revisionsBehind(), () => holds(connection, mark)]) {
    befalls = [...errors];
    await expect(ask()).rejects.toThrow(UnknownError);
  }
});
