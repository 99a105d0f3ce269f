import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { depositStream } from '#deposit-commands';
import type { JsonObject } from '#event-log';
import { writtenStream } from '#event-log/testing';
import { copyIn } from '#platform/postgres';
import { lifeOf } from './life.ts';

const AT_ONCE = 500;
const KEYS = 200;

const COPY = 'COPY events (stream, revision, id, type, data, metadata) FROM STDIN';

/** Canonical JSON holds no other character that COPY takes for one of its own. */
const escaped = (json: string): string => json.replaceAll('\\', '\\\\');

/** The rows of one stream in COPY's text format, with the hashes that the log itself writes. */
const rowsOf = (depositId: number, affiliateId: number): readonly string[] => {
  const stream = depositStream(depositId);
  const actor = `api key ${1 + (depositId % KEYS)}`;
  const events = lifeOf(depositId, affiliateId).map(({ type, data }) => ({
    id: randomUUID(),
    type,
    data: JSON.parse(JSON.stringify(data)) as JsonObject,
    metadata: { occurredAt: 'at' in data ? data.at : data.terms.issuedAt, actor, correlationId: randomUUID() },
  }));
  return writtenStream(stream, events).map(
    ({ id, type, data, metadata }, revision) =>
      `${[stream, revision, id, type, escaped(data), escaped(JSON.stringify(metadata))].join('\t')}\n`,
  );
};

/** A fill that was interrupted goes on behind its last deposit: what goes in at once goes in whole. */
const lastIn = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ stream: string }>(
    'SELECT stream FROM events ORDER BY xid DESC, position DESC LIMIT 1',
  );
  return Number(/\d+$/.exec(rows[0]?.stream ?? '')?.[0] ?? 0);
};

/** Deposits with whole lives, which are true streams with true hashes; gives how many events were written. */
export const fillLog = async (url: string, deposits: number, affiliateId = 1): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('SET synchronous_commit = off');
  let [written, underWay] = [0, Promise.resolve(0)];
  for (let next = (await lastIn(client)) + 1; next <= deposits; next += AT_ONCE) {
    const many = Math.min(AT_ONCE, deposits - next + 1);
    const rows = Array.from({ length: many }, (_, nth) => rowsOf(next + nth, affiliateId)).flat();
    // The server takes some while the next are made.
    written += await underWay;
    underWay = copyIn(client, COPY, rows.join(''));
  }
  written += await underWay;
  await client.end();
  return written;
};
