import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

/** The writes and reads of the paths, by hand: no framework but Fastify, no rules, no history that could be folded. */
const TABLES = `
  CREATE TABLE deposits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entity_id bigint NOT NULL,
    gambler_ref text NOT NULL, decision text NOT NULL, view text NOT NULL);
  CREATE INDEX ON deposits (entity_id, (-id));
  CREATE TABLE totals (entity_id bigint PRIMARY KEY, deposits bigint NOT NULL);
  INSERT INTO totals VALUES (1, 0);
  CREATE TABLE events (stream text NOT NULL COLLATE "C", revision bigint NOT NULL, id uuid NOT NULL, type text NOT NULL,
    data text NOT NULL, at timestamptz NOT NULL DEFAULT now(), position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (stream, revision));`;

const [url = '', example = ''] = process.argv.slice(2);
/** What our own service writes and shows of such a deposit: the same bytes. */
const shape: { readonly quoted: string; readonly assigned: string; readonly accepted: string; readonly view: object } =
  JSON.parse(example);
const pool = new pg.Pool({ connectionString: url, max: 20 });
await pool.query(TABLES);
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const known = new Set([hashOf('bare-key')]);

const prepared = async <Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> => (await db.query<Row>({ name, text, values: [...values] })).rows;

const INSERT_ROW = `INSERT INTO deposits (entity_id, gambler_ref, decision, view) VALUES ($1, $2, 'pending', $3) RETURNING id`;
const INSERT_EVENTS = `INSERT INTO events (stream, revision, id, type, data)
  VALUES ($1, 0, gen_random_uuid(), 'Quoted', $2), ($1, 1, gen_random_uuid(), 'Assigned', $3)`;
const LOOK = 'SELECT decision, view FROM deposits WHERE id = $1 FOR UPDATE';
const DECIDE = `UPDATE deposits SET decision = 'accepted', view = $2 WHERE id = $1`;
const APPEND = `INSERT INTO events (stream, revision, id, type, data) VALUES ($1, 2, gen_random_uuid(), 'Accepted', $2)`;
const READ = 'SELECT view FROM deposits WHERE id = $1';
const LIST = 'SELECT view FROM deposits WHERE entity_id = $1 ORDER BY -id LIMIT $2';

const app = Fastify({ logger: false });
app.addHook('onRequest', async (request, reply) => {
  if (!known.has(hashOf(String(request.headers['x-api-key'])))) await reply.code(403).send();
});

app.post<{ Body: { readonly entity_id: number; readonly gambler_ref: string } }>(
  '/casino/deposit_address',
  async ({ body }) => {
    const view = JSON.stringify({ ...shape.view, gambler_ref: body.gambler_ref });
    const [row] = await prepared<{ id: string }>(pool, 'row', INSERT_ROW, [body.entity_id, body.gambler_ref, view]);
    await prepared(pool, 'events', INSERT_EVENTS, [`deposit-${row?.id}`, shape.quoted, shape.assigned]);
    return { ...shape.view, deposit_id: Number(row?.id) };
  },
);

app.post<{ Params: { readonly id: string } }>('/casino/deposit/:id/accept', async ({ params: { id } }) => {
  const db = await pool.connect();
  try {
    await db.query('BEGIN');
    const [row] = await prepared<{ decision: string; view: string }>(db, 'look', LOOK, [id]);
    if (row?.decision !== 'pending') throw new Error('decided');
    const view = { ...JSON.parse(row.view), decision: 'accepted' };
    await prepared(db, 'decide', DECIDE, [id, JSON.stringify(view)]);
    await prepared(db, 'append', APPEND, [`deposit-${id}`, shape.accepted]);
    await db.query('COMMIT');
    return view;
  } catch (error) {
    await db.query('ROLLBACK');
    throw error;
  } finally {
    db.release();
  }
});

app.get<{ Params: { readonly id: string } }>('/casino/deposit/:id', async ({ params: { id } }, reply) => {
  const [row] = await prepared<{ view: string }>(pool, 'read', READ, [id]);
  return reply.type('application/json').send(row?.view);
});

app.get<{ Querystring: { readonly entity_id: string; readonly limit: string } }>(
  '/casino/deposits',
  async ({ query: { entity_id, limit } }, reply) => {
    const [rows, [total]] = await Promise.all([
      prepared<{ view: string }>(pool, 'list', LIST, [entity_id, limit]),
      prepared<{ deposits: string }>(pool, 'total', 'SELECT deposits FROM totals WHERE entity_id = $1', [entity_id]),
    ]);
    const deposits = rows.map(({ view }) => view).join(',');
    return reply.type('application/json').send(`{"deposits":[${deposits}],"total":${total?.deposits}}`);
  },
);

process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
